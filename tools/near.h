/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that look like what somebody has typed. */
#ifndef BBPROF_NEAR_H
#define BBPROF_NEAR_H

#include <stddef.h>

enum { NEAR_MOST = 3 };

struct near {
  const char *word;
  const char *names[NEAR_MOST]; /* the nearest first; borrowed */
  size_t distances[NEAR_MOST];
  size_t count;
};

/* Keeps NAME if it is one of the nearest so far: few letters away from the word, or the word is a part of it. */
void near_consider (struct near *, const char *name);

#endif
