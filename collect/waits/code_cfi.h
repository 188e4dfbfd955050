/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call frame information of a copy of code, read by the run-time library's code. */
#ifndef BBPROF_CODE_CFI_H
#define BBPROF_CODE_CFI_H

#include "collect/waits/code_copy.h"

/* The link-time address of the start of the copy. */
uint64_t code_cfi_vaddr (const struct code *);

/* The end of the function that begins at START in the copy; null: none begins there. */
const unsigned char *code_cfi_function (const struct code *, const unsigned char *start);

/* A frame of a sleeping thread. */
struct code_frame {
  uint64_t pc, sp, fp;
  bool exact; /* PC is the next instruction to execute; else a return address */
  bool fp_known;
};
/* Steps to the caller's frame.  WORDS: the thread's stack from LOW on.  False: not possible. */
bool code_cfi_step (const struct code *, struct code_frame *, const uint64_t *words, size_t n,
                    uint64_t low);

#endif
