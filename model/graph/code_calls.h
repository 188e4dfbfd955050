/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that stand in the program's machine code, made or not (gprof's -c): to addresses where
   symbols begin. */
#ifndef BBPROF_CODE_CALLS_H
#define BBPROF_CODE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "model/elf/image.h"
#include "model/files/profile.h"
#include "model/symbols/symtab.h"

struct code_call {
  uint32_t parent, child; /* symbols */
};

struct code_calls {
  struct code_call *all; /* by address; a pair may be there more than once */
  size_t count, room;
};

/* Of the code that the histograms cover.  Which machines it knows says code_calls_can. */
bool code_calls_find (struct code_calls *, const struct image *program, const struct symtab *,
                      const struct profile *, struct error *);
bool code_calls_can (const struct image *);
void code_calls_free (struct code_calls *);

#endif
