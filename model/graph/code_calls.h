/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds calls in the program's machine code, executed or not (gprof's -c), to addresses where
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
  uint64_t count;         /* 0 if only the code is known */
};

struct code_calls {
  struct code_call *all; /* by address; a pair may occur more than once */
  size_t count, room;
};

/* Searches the code that the histograms cover.  code_calls_can says whether the machine is
   supported. */
bool code_calls_find (struct code_calls *, const struct image *program, const struct symtab *,
                      const struct profile *, struct error *);
bool code_calls_can (const struct image *);
void code_calls_free (struct code_calls *);

#endif
