/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of many functions does a word of a user's mean?  First all are considered; then those
   are meant that match best: by their whole name, else as a pattern, else by the last component
   of their name. */
#ifndef BBPROF_MEANT_H
#define BBPROF_MEANT_H

#include <stdbool.h>

#include "common/error.h"
#include "tools/arguments/name_pattern.h"
#include "tools/arguments/similar_names.h"

struct meant {
  const char *word;
  enum pattern_match best;      /* PATTERN_NOT: none is meant */
  struct similar_names similar; /* if none is: names similar to the word */
};

/* Begins; WORD has to live as long. */
void meant_begin (struct meant *, const char *word);
void meant_free (struct meant *);

/* SYMBOL and NAME as in pattern_match; neither has to live longer than the call. */
void meant_consider (struct meant *, const char *symbol, const char *name);

/* All have been considered: is this one meant? */
bool meant_is (const struct meant *, const char *symbol, const char *name);

/* None is meant: always false, with the text "no KIND matches 'split'; there is text::splice". */
bool meant_refuse (struct meant *, const char *kind, struct error *);

#endif
