/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of a program for another machine, as that machine's objdump prints it.  It is a command
   of its own in each distribution, so it need not be of the version that bbprof was built with. */
#ifndef BBPROF_OBJDUMP_H
#define BBPROF_OBJDUMP_H

#include "common/error.h"
#include "model/elf/image.h"

struct objdump;

/* IMAGE must stay.  Null: no memory, or its machine is not known. */
struct objdump *objdump_open (const struct image *image, struct error *);
void objdump_close (struct objdump *);

/* The instruction at ADDRESS in the file: its size in bytes, and its text, with tabs, until the
   next call.  *SIZE 0: objdump shows none there.  Runs the command from time to time. */
bool objdump_read (struct objdump *, uint64_t address, unsigned *size, const char **text,
                   struct error *);

#endif
