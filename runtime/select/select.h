/* SPDX-License-Identifier: MIT */
/* The user's selection of functions. */
#ifndef BBP_SELECT_H
#define BBP_SELECT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/base.h"

#pragma GCC visibility push(hidden)

/* selectors.c, choose.c.  Cold, lock held. */
struct bbp_selector {
  const char *name, *file; /* patterns; file empty: any file */
  /* Blocks of matching functions are not recorded.  Otherwise profiling begins when such a
     function is called. */
  bool hides;
};
struct bbp_selectors {
  struct bbp_selector *list; /* in the user's order */
  size_t n;
  bool opening;       /* some selectors open windows */
  bool from_file;     /* bb.in, or the file of select=@FILE, was there */
  const char *source; /* of the selectors, for messages */
};
extern struct bbp_selectors bbp_selectors;
void bbp_selectors_read (void);
bool bbp_choose_start (void); /* true: the selectors are known now */
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
