/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was seen of threads: lists that who watches fills, and that are written, read, and drawn. */
#ifndef BBPROF_WATCHED_H
#define BBPROF_WATCHED_H

#include <stdbool.h>
#include <stddef.h>

#include "include/bbprof-samples.h"

/* Each in order of time, from the run's beginning. */
struct watched {
  struct bbs_switch *switches;
  size_t nswitches, room_switches;
  struct bbs_look *looks;
  size_t nlooks, room_looks;
  struct bbs_name *names;
  size_t nnames, room_names;
  struct bbs_mark *marks;
  size_t nmarks, room_marks;
};

/* False: no memory; the lists are unchanged then. */
bool watched_add_switch (struct watched *, const struct bbs_switch *);
bool watched_add_look (struct watched *, const struct bbs_look *);
bool watched_add_name (struct watched *, uint64_t time, uint32_t tid, const char *name);
bool watched_add_mark (struct watched *, const struct bbs_mark *);

/* Puts each list in order of time, what was there first first.  False: memory is short; they are
   in any order then. */
bool watched_sort (struct watched *);

void watched_clear (struct watched *); /* nothing is in it any more; its memory stays */
void watched_free (struct watched *);

/* Of enum bbs_why: one or two words for people, and a word for programs. */
const char *watched_why_text (enum bbs_why);
const char *watched_why_name (enum bbs_why);

/* Of mutual exclusion: drawn in another way than other sleep. */
static inline bool
watched_is_lock (unsigned why)
{
  return why == BBS_WHY_LOCK || why == BBS_WHY_RWLOCK;
}

#endif
