/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of the records of threads.  The monitor fills them; other code writes, reads and draws
   them. */
#ifndef BBPROF_WATCHED_H
#define BBPROF_WATCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "include/bbprof-samples.h"

/* Each in order of time; times are from the beginning of the run. */
struct watched {
  struct bbs_switch *switches;
  size_t nswitches, room_switches;
  struct bbs_look *looks;
  size_t nlooks, room_looks;
  struct bbs_name *names;
  size_t nnames, room_names;
  struct bbs_mark *marks;
  size_t nmarks, room_marks;
  struct bbs_mpi_call *mpi_calls; /* by their starts */
  size_t nmpi_calls, room_mpi_calls;
};

/* False: out of memory, and the lists are unchanged. */
bool watched_add_switch (struct watched *, const struct bbs_switch *);
bool watched_add_look (struct watched *, const struct bbs_look *);
bool watched_add_name (struct watched *, uint64_t time, uint32_t tid, const char *name);
bool watched_add_mark (struct watched *, const struct bbs_mark *);
bool watched_add_mpi_call (struct watched *, const struct bbs_mpi_call *);

/* Sorts each list by time; stable.  False: out of memory, and the lists are in any order. */
bool watched_sort (struct watched *);

void watched_clear (struct watched *); /* empties the lists; keeps their memory */
void watched_free (struct watched *);

/* Of enum bbs_why: one or two words for users; one word for programs that read JSON. */
const char *watched_why_text (enum bbs_why);
const char *watched_why_name (enum bbs_why);

/* Does a thread of that name belong to the run-time library, and not to the program?  (The ticker
   gives its thread this name.) */
static inline bool
watched_is_own (const char *name)
{
  return strcmp (name, "bbprof-ticker") == 0;
}

/* Does a wait reason mean mutual exclusion?  It is drawn differently from other sleep. */
static inline bool
watched_is_lock (unsigned why)
{
  return why == BBS_WHY_LOCK || why == BBS_WHY_RWLOCK;
}

#endif
