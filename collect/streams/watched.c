/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "collect/streams/watched.h"
#include "common/array.h"
#include "runtime/switches/why.h"

bool
watched_add_switch (struct watched *w, const struct bbs_switch *s)
{
  if (!array_grow (&w->switches, w->nswitches, &w->room_switches, sizeof *s))
    return false;
  w->switches[w->nswitches++] = *s;
  return true;
}

bool
watched_add_look (struct watched *w, const struct bbs_look *look)
{
  if (!array_grow (&w->looks, w->nlooks, &w->room_looks, sizeof *look))
    return false;
  w->looks[w->nlooks++] = *look;
  return true;
}

bool
watched_add_name (struct watched *w, uint64_t time, uint32_t tid, const char *name)
{
  if (!array_grow (&w->names, w->nnames, &w->room_names, sizeof *w->names))
    return false;
  struct bbs_name *new = &w->names[w->nnames++];
  *new = (struct bbs_name) { .time = time, .tid = tid };
  snprintf (new->name, sizeof new->name, "%s", name);
  return true;
}

bool
watched_add_mark (struct watched *w, const struct bbs_mark *mark)
{
  if (!array_grow (&w->marks, w->nmarks, &w->room_marks, sizeof *mark))
    return false;
  w->marks[w->nmarks++] = *mark;
  return true;
}

bool
watched_add_mpi_call (struct watched *w, const struct bbs_mpi_call *call)
{
  if (!array_grow (&w->mpi_calls, w->nmpi_calls, &w->room_mpi_calls, sizeof *call))
    return false;
  w->mpi_calls[w->nmpi_calls++] = *call;
  return true;
}

void
watched_clear (struct watched *w)
{
  w->nswitches = w->nlooks = w->nnames = w->nmarks = w->nmpi_calls = 0;
}

void
watched_free (struct watched *w)
{
  free (w->switches);
  free (w->looks);
  free (w->names);
  free (w->marks);
  free (w->mpi_calls);
  *w = (struct watched) { .switches = NULL };
}

bool
watched_sort (struct watched *w)
{
  return array_sort_by_number (w->switches, w->nswitches, sizeof *w->switches,
                               offsetof (struct bbs_switch, time))
         && array_sort_by_number (w->looks, w->nlooks, sizeof *w->looks,
                                  offsetof (struct bbs_look, time))
         && array_sort_by_number (w->names, w->nnames, sizeof *w->names,
                                  offsetof (struct bbs_name, time))
         && array_sort_by_number (w->marks, w->nmarks, sizeof *w->marks,
                                  offsetof (struct bbs_mark, time))
         && array_sort_by_number (w->mpi_calls, w->nmpi_calls, sizeof *w->mpi_calls,
                                  offsetof (struct bbs_mpi_call, time));
}

static const char *const whys[BBS_WHYS] = {
  [BBS_WHY_NOT_KNOWN] = "not known",
  [BBS_WHY_LOCK] = "lock",
  [BBS_WHY_TIME] = "timed sleep",
  [BBS_WHY_POLL] = "poll",
  [BBS_WHY_PIPE] = "pipe/socket",
  [BBS_WHY_DISK] = "file/disk",
  [BBS_WHY_CHILD] = "child",
  [BBS_WHY_SIGNAL] = "signal",
  [BBS_WHY_MEMORY] = "page fault",
  [BBS_WHY_STOPPED] = "stopped",
  [BBS_WHY_OTHER] = "system call",
  [BBS_WHY_CONDITION] = "condition",
  [BBS_WHY_RWLOCK] = "read-write lock",
  [BBS_WHY_SEMAPHORE] = "semaphore",
  [BBS_WHY_THREAD] = "thread end",
  [BBS_WHY_BARRIER] = "barrier",
  [BBS_WHY_PROFILER] = "profiler",
};

const char *
watched_why_text (enum bbs_why why)
{
  return whys[why < BBS_WHYS ? why : BBS_WHY_NOT_KNOWN];
}

const char *
watched_why_name (enum bbs_why why)
{
  return bbp_why_name (why);
}
