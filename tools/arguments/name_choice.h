/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses functions by a word of the user's.  All functions are considered first.  Chosen are
   those that match best: by their whole name, else as a pattern, else by the last component of
   their name. */
#ifndef BBPROF_NAME_CHOICE_H
#define BBPROF_NAME_CHOICE_H

#include <stdbool.h>

#include "common/error.h"
#include "tools/arguments/name_pattern.h"
#include "tools/arguments/similar_names.h"

struct name_choice {
  const char *word;
  enum pattern_match best;      /* of all considered; PATTERN_NOT: none matches */
  struct similar_names similar; /* if none is: names similar to the word */
};

/* WORD must live until name_choice_free. */
void name_choice_begin (struct name_choice *, const char *word);
void name_choice_free (struct name_choice *);

/* SYMBOL and NAME as in pattern_match; no pointer to them is kept. */
void name_choice_consider (struct name_choice *, const char *symbol, const char *name);

/* Is this one chosen?  All have been considered. */
bool name_choice_is (const struct name_choice *, const char *symbol, const char *name);

/* None matches: false, with the error "no KIND matches 'split'; did you mean text::splice?". */
bool name_choice_refuse (struct name_choice *, const char *kind, struct error *);

#endif
