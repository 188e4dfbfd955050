/* SPDX-License-Identifier: MIT */
/* Which functions the user selects. */
#ifndef BBP_SELECT_H
#define BBP_SELECT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/base.h"

#pragma GCC visibility push(hidden)

/* selectors.c, choose.c: which functions the user selects.  Cold, lock held. */
struct bbp_selector {
  const char *name, *file; /* patterns; file: empty: of any */
  /* Their blocks are not recorded; else profiling begins with their calls. */
  bool hides;
};
struct bbp_selectors {
  struct bbp_selector *list; /* in the user's order */
  size_t n;
  bool opening;       /* some of them do not hide */
  bool from_file;     /* bb.in, or that of select=, was there */
  const char *source; /* for messages */
};
extern struct bbp_selectors bbp_selectors;
void bbp_selectors_read (void);
bool bbp_choose_start (void); /* true: the words are known now */
void bbp_choose_write (struct bbp_out *);
/* BBP_CHOICE_... */
unsigned bbp_choose (const char *assembler, const char *printed, const char *file, const char *unit,
                     uintptr_t block);
void bbp_choose_finish (void);
void bbp_choose_unit (const struct bb *);
bool bbp_choose_hides (uintptr_t block);
size_t bbp_choose_functions (size_t i, uint64_t *functions);
void bbp_choose_complain (void);

#pragma GCC visibility pop

#endif
