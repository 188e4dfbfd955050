/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that look like what somebody has typed. */
#ifndef BBPROF_NEAR_H
#define BBPROF_NEAR_H

#include <stddef.h>

enum { NEAR_MOST = 3 };

struct near {
  const char *word;
  char *names[NEAR_MOST]; /* the nearest first */
  size_t distances[NEAR_MOST];
  size_t count;
};

/* Keeps a copy of NAME if it is one of the nearest so far: it, BARE of parameters, or its LAST
   component, is few letters away from the word, or has the word as a part.  Without memory: does
   not. */
void near_consider (struct near *, const char *name, const char *bare, const char *last);

void near_free (struct near *);

#endif
