/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that are similar to a mistyped word, for "did you mean". */
#ifndef BBPROF_SIMILAR_NAMES_H
#define BBPROF_SIMILAR_NAMES_H

#include <stddef.h>

enum { SIMILAR_NAMES_MOST = 3 };

struct similar_names {
  const char *word;
  char *names[SIMILAR_NAMES_MOST]; /* the most similar first */
  size_t distances[SIMILAR_NAMES_MOST];
  size_t count;
};

/* Keeps a copy of NAME if it is one of the most similar so far.  It is similar if it, BARE of
   parameters, or its LAST component differs from the word in few letters or contains the word.
   Without memory it keeps none. */
void similar_names_consider (struct similar_names *, const char *name, const char *bare,
                             const char *last);

void similar_names_free (struct similar_names *);

#endif
