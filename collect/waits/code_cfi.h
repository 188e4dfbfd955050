/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call frame information of a copy of code, by the run-time library's own reader. */
#ifndef BBPROF_CODE_CFI_H
#define BBPROF_CODE_CFI_H

#include "collect/waits/code_copy.h"

/* The address of link time that the copy begins with. */
uint64_t code_cfi_vaddr (const struct code *);

/* Where the function ends that begins at START in the copy; null: none does. */
const unsigned char *code_cfi_function (const struct code *, const unsigned char *start);

/* One call of a thread that sleeps, and how it leads out of it. */
struct code_frame {
  uint64_t pc, sp, fp;
  bool exact; /* PC is of the next instruction; else of one behind a call */
  bool fp_known;
};
/* WORDS: its stack from LOW on.  False: that is not told. */
bool code_cfi_step (const struct code *, struct code_frame *, const uint64_t *words, size_t n,
                    uint64_t low);

#endif
