/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the threads of a process have done up to now, in sums: fed with what is watched
   (monitor.h), as it comes.  Unlike the timeline it forgets: its memory does not grow with time,
   only with threads. */
#ifndef BBPROF_TOP_SUMS_H
#define BBPROF_TOP_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/streams/watched.h"
#include "tools/intervals/timeline.h"

/* Times are nanoseconds since the watch began. */

/* May be below 0 for a moment: what is charged up to now is taken back in part when something is
   told that was before. */
struct top_counts {
  int64_t time[TIMELINE_STATES];
  int64_t why[BBS_WHYS]; /* of the sleep */
  int64_t voluntary, involuntary, migrations;
};

/* The recent past, in slices of time of equal length; slice N begins at N * TOP_SLICE. */
enum { TOP_SLICE = 50000000, TOP_SLICES = 512 };
struct top_slice {
  int32_t time[TIMELINE_STATES]; /* but of sleep: that is the rest */
};

struct top_thread {
  uint32_t tid;
  char name[20];
  uint64_t born, died; /* seen first; died: TOP_LIVES */
  enum timeline_state state;
  uint8_t why;              /* enum bbs_why: of the present sleep */
  uint64_t lock;            /* address of what it waits for; 0: unknown */
  uint32_t holder;          /* tid of the thread that owns the lock, as it says; 0: unknown */
  uint8_t lock_type;        /* enum bbs_lock */
  int32_t call;             /* system call of it; -1: none; BBS_CALL_NOT_KNOWN */
  uint16_t cpu;             /* where it is, or was last; BBS_CPU_UNKNOWN */
  uint64_t began;           /* of the state */
  struct top_counts counts; /* since the last reset */
  struct top_counts recent; /* of them, in the last period */
  uint64_t cpu_time;        /* in all its life, as far as that is known */

  /* Private. */
  uint64_t longest[TIMELINE_STATES]; /* time in one state that has ended */
  bool guessed;                      /* the state is what a look has found: a switch knows better */
  bool looked;                       /* WAIT, RUN, VOLUNTARY, INVOLUNTARY are right */
  uint64_t charged;                  /* COUNTS hold all up to this time */
  uint64_t told;                     /* time of the last look; by polls */
  /* By polls: neither run nor waited, nor found asleep; charged as ready while no switch to wait
     is known. */
  int64_t rest;
  /* As /proc had it then; WAIT by events: and what has come to it since. */
  uint64_t run, wait, voluntary, involuntary;
  struct top_counts before; /* COUNTS when the period began */
  /* Those below this number are not of the future; the last TOP_SLICES are kept. */
  uint64_t nslices;
  struct top_slice slices[TOP_SLICES];
};
#define TOP_LIVES UINT64_MAX

struct top_cpu {
  uint32_t tid;           /* whom it runs of this process; 0: nobody */
  int64_t time, switches; /* since the last reset: it ran the process; got a thread of it */
  int64_t recent_time, recent_switches;
  int64_t before_time, before_switches;
};

struct top_sums {
  enum bbs_how how;
  struct top_thread **threads; /* by number, of equal ones by birth */
  size_t n, room, ndead;
  struct top_cpu *cpus; /* by number */
  size_t ncpus, room_cpus;
  uint64_t now, period;    /* RECENT is what was in the PERIOD before NOW */
  uint64_t reset;          /* time of the last reset */
  struct top_counts whole; /* recent, of all threads of the program */
  int64_t own;             /* nanoseconds that the run-time library's own threads ran, recently */
  /* Of threads that are not in the list any more, since the last reset. */
  struct top_counts forgotten;
  struct top_counts forgotten_before;
};

void top_sums_open (struct top_sums *, enum bbs_how how);
void top_sums_close (struct top_sums *);

/* What was seen since the last time.  False: no memory. */
bool top_sums_play (struct top_sums *, const struct watched *);

/* A period ends NOW, and the next begins. */
void top_sums_tick (struct top_sums *, uint64_t now);

/* The last period is all the time since the last reset. */
void top_sums_whole (struct top_sums *);

/* All counts begin at 0 again, but for CPU times of threads. */
void top_sums_reset (struct top_sums *);

/* The process has ended: so have all its threads, at the latest now. */
void top_sums_end (struct top_sums *, uint64_t now);

/* The longest time in one state, ended or not, since the last reset.  By polls that is known of
   sleeps only. */
uint64_t top_longest (const struct top_thread *, enum timeline_state);

/* Slices FIRST to FIRST + N - 1 of a thread, added up; N: no more than a second's. */
struct top_slice top_sums_slices (const struct top_thread *, uint64_t first, uint64_t n);

#endif
