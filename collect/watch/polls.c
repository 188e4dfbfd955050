/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/watch/polls.h"
#include "collect/watch/proc.h"
#include "collect/watch/threads.h"
#include "collect/waits/waits.h"
#include "common/array.h"
#include "common/clock.h"

/* Polls may use at most 1 / PART of a processor's time: with many threads there are fewer polls a
   second. */
enum { PART = 10 };
/* As many threads may have begun as have ended: nanoseconds after which the list is read again
   though its length is the same. */
enum { LIST_AGE = 50000000 };
/* The file with the switches is the most expensive: nanoseconds between two reads of it for one
   thread. */
enum { SWITCHES_AGE = 10000000 };

struct polled {
  struct proc_thread files;
  struct proc_sums sums; /* of the last poll */
  uint64_t switches;     /* time of the last read of the switches */
  bool looked, ended;
  char name[20];
};

struct polls {
  struct proc proc;
  int folder;             /* of the threads: /proc/PID/task */
  nlink_t links;          /* link count at the last listing: two, and one for each thread */
  uint64_t listed;        /* time of the last listing */
  struct threads threads; /* the last listing */
  struct polled *polled;  /* by tid */
  size_t n, room;
  uint64_t period, due;
};

struct polls *
polls_open (pid_t pid, uint64_t started, unsigned rate, struct error *err)
{
  struct polls *p = calloc (1, sizeof *p);
  if (!p)
    return error_no_memory (err), NULL;
  if (!proc_open (&p->proc, pid, started, err))
    return free (p), NULL;
  char path[40];
  snprintf (path, sizeof path, "/proc/%d/task", (int) pid);
  p->folder = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  p->period = 1000000000 / (rate ? rate : 1);
  /* Timer slack of the calling thread: it wakes up when a poll is due, not 50 us later. */
  prctl (PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  return p;
}

void
polls_close (struct polls *p)
{
  if (!p)
    return;
  for (size_t i = 0; i < p->n; i++)
    proc_thread_close (&p->proc, &p->polled[i].files);
  if (p->folder >= 0)
    close (p->folder);
  threads_free (&p->threads);
  proc_close (&p->proc);
  free (p->polled);
  free (p);
}

enum bbs_reasons
polls_reasons (const struct polls *p)
{
  return p->proc.reasons;
}

uint64_t
polls_due (const struct polls *p)
{
  return p->due;
}

static uint64_t
now (const struct polls *p)
{
  return clock_now () - p->proc.started;
}

static bool
add_birth_or_death (struct polls *p, uint32_t tid, enum bbs_switch_kind kind, struct watched *w)
{
  struct bbs_switch s
      = { .time = now (p), .tid = tid, .cpu = BBS_CPU_UNKNOWN, .kind = (uint16_t) kind };
  return watched_add_switch (w, &s);
}

/* Both lists are by tid: a thread in only one of them has begun or ended.  FIRST: the threads
   began before watching did. */
static bool
merge_list (struct polls *p, bool first, struct watched *w)
{
  bool good = true;
  for (size_t i = 0; i < p->n && good; i++)
    if (!p->polled[i].ended && !threads_has (&p->threads, p->polled[i].files.tid))
      {
        p->polled[i].ended = true;
        good = add_birth_or_death (p, p->polled[i].files.tid, BBS_DIED, w);
      }
  size_t i = 0;
  for (size_t t = 0; t < p->threads.n && good; t++)
    {
      uint32_t tid = p->threads.tids[t];
      while (i < p->n && p->polled[i].files.tid < tid)
        i++;
      if (i < p->n && p->polled[i].files.tid == tid)
        continue;
      if (!array_grow (&p->polled, p->n, &p->room, sizeof *p->polled))
        return false;
      memmove (&p->polled[i + 1], &p->polled[i], (p->n++ - i) * sizeof *p->polled);
      p->polled[i] = (struct polled) { .looked = false };
      proc_thread_open (&p->polled[i].files, tid);
      good = first || add_birth_or_death (p, tid, BBS_BORN, w);
    }
  return good;
}

/* Forgets threads that have ended and are no longer listed.  One that is still listed, as the
   leader is until the end, is kept, so that it does not begin again. */
static void
forget_ended (struct polls *p)
{
  size_t kept = 0;
  for (size_t i = 0; i < p->n; i++)
    if (p->polled[i].ended && !threads_has (&p->threads, p->polled[i].files.tid))
      proc_thread_close (&p->proc, &p->polled[i].files);
    else
      p->polled[kept++] = p->polled[i];
  p->n = kept;
}

/* False: out of memory, or the process has ended. */
static bool
list_threads (struct polls *p, struct watched *w)
{
  struct stat s;
  bool same = p->folder >= 0 && fstatat (p->folder, "", &s, AT_EMPTY_PATH) == 0
              && s.st_nlink == p->links;
  uint64_t time = clock_now ();
  if (same && time - p->listed < LIST_AGE)
    return true;
  bool first = !p->listed;
  bool there = threads_list (&p->threads, p->proc.pid);
  if (!there && errno == ENOMEM)
    return false;
  if (!there)
    p->threads.n = 0;
  p->links = (nlink_t) (p->threads.n + 2);
  p->listed = time;
  bool good = merge_list (p, first, w);
  forget_ended (p);
  return good && there;
}

static bool
poll_thread (struct polls *p, struct polled *t, bool last, struct watched *w)
{
  struct proc_sums sums;
  if (t->ended || !proc_sums (&p->proc, &t->files, &sums))
    return true; /* it has ended: the next listing finds that */
  bool changed = !t->looked || sums.run != t->sums.run || sums.wait != t->sums.wait
                 || sums.turns != t->sums.turns;
  if (!changed && !last)
    return true;
  struct bbs_look look;
  char name[20];
  bool switches = last || !t->looked || now (p) - t->switches >= SWITCHES_AGE;
  if (!proc_poll (&p->proc, &t->files, &sums, switches ? PROC_SWITCHES : PROC_STATE, &look, name))
    return true;
  t->looked = true;
  t->sums = sums;
  t->switches = switches ? look.time : t->switches;
  bool renamed = strcmp (name, t->name) != 0;
  memcpy (t->name, name, sizeof name);
  t->ended = look.state == 'Z' || look.state == 'X';
  return (!renamed || watched_add_name (w, look.time, t->files.tid, name))
         && watched_add_look (w, &look)
         && (!t->ended || add_birth_or_death (p, t->files.tid, BBS_DIED, w));
}

/* The next poll is due one period after this one, but not before its cost is a small part of the
   time. */
static void
plan (struct polls *p, uint64_t begun, uint64_t cost)
{
  uint64_t next = p->due + p->period, afforded = begun + cost * PART;
  next = next < begun ? begun : next;
  p->due = next > afforded ? next : afforded;
}

bool
polls_take (struct polls *p, struct watched *w, bool last)
{
  uint64_t begun = clock_now (), before = clock_used () - waits_prepared (p->proc.waits);
  if (!last && begun < p->due)
    return true;
  bool good = list_threads (p, w);
  bool living = false;
  for (size_t i = 0; i < p->n && good; i++)
    {
      good = poll_thread (p, &p->polled[i], last, w);
      living |= !p->polled[i].ended;
    }
  plan (p, begun, clock_used () - waits_prepared (p->proc.waits) - before);
  return good && living;
}
