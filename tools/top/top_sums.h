/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of what the threads of a process have done up to now, made of records as they come
   (monitor.h).  Unlike a timeline they forget: memory grows with the number of threads, not with
   time. */
#ifndef BBPROF_TOP_SUMS_H
#define BBPROF_TOP_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/streams/watched.h"
#include "tools/intervals/timeline.h"

/* Times are nanoseconds since watching began. */

/* May be negative for a moment: provisional charges are taken back in part when an earlier switch
   is reported. */
struct top_counts {
  int64_t time[TIMELINE_STATES];
  int64_t why[BBS_WHYS]; /* of the sleep, by enum bbs_why */
  int64_t voluntary, involuntary, migrations;
};

/* The recent past, in slices of equal length; slice N begins at N * TOP_SLICE. */
enum { TOP_SLICE = 50000000, TOP_SLICES = 512 };
struct top_slice {
  int32_t time[TIMELINE_STATES]; /* but sleep, which is the rest */
};

struct top_thread {
  uint32_t tid;
  char name[20];
  uint64_t born, died; /* first observation; died: TOP_LIVES, if it lives */
  enum timeline_state state;
  uint8_t why;              /* enum bbs_why: of the present sleep */
  uint64_t lock;            /* address of the lock that it waits for; 0: unknown */
  uint32_t holder;          /* tid that the lock names as its owner; 0: unknown */
  uint8_t lock_type;        /* enum bbs_lock */
  int32_t call;             /* its system call; -1: none; or BBS_CALL_NOT_KNOWN */
  uint16_t cpu;             /* current or last processor; or BBS_CPU_UNKNOWN */
  uint64_t began;           /* when the state began */
  struct top_counts counts; /* since the last reset */
  struct top_counts recent; /* of these, in the last period */
  uint64_t cpu_time;        /* of its whole life, as far as known */

  /* Private. */
  uint64_t longest[TIMELINE_STATES]; /* the longest time in one state that has ended */
  bool guessed;                      /* the state is from a poll; a switch is more exact */
  bool looked;                       /* WAIT, RUN, VOLUNTARY, INVOLUNTARY are valid */
  uint64_t charged;                  /* COUNTS hold all up to this time */
  uint64_t told;                     /* by polls: time of the last one */
  /* By polls: time that was neither running, waiting nor sleep; charged as ready while no voluntary
     switch is known. */
  int64_t rest;
  /* As /proc had it then; by events WAIT also has what was added since. */
  uint64_t run, wait, voluntary, involuntary;
  struct top_counts before; /* COUNTS at the begin of the period */
  /* The number of slices begun; the last TOP_SLICES are kept. */
  uint64_t nslices;
  struct top_slice slices[TOP_SLICES];
};
#define TOP_LIVES UINT64_MAX

struct top_cpu {
  uint32_t tid; /* the thread of this process that it runs; 0: none */
  /* since the last reset: time with threads of the process; switches to them */
  int64_t time, switches;
  int64_t recent_time, recent_switches;
  int64_t before_time, before_switches;
};

struct top_sums {
  enum bbs_how how;
  struct top_thread **threads; /* by number, those with one number by birth */
  size_t n, room, ndead;
  struct top_cpu *cpus; /* by number */
  size_t ncpus, room_cpus;
  uint64_t now, period;    /* RECENT is what happened in the PERIOD before NOW */
  uint64_t reset;          /* time of the last reset */
  struct top_counts whole; /* recent, of all threads of the program */
  int64_t own;             /* nanoseconds that the run-time library's own threads ran, recently */
  /* Of threads that were forgotten, since the last reset. */
  struct top_counts forgotten;
  struct top_counts forgotten_before;
};

void top_sums_open (struct top_sums *, enum bbs_how how);
void top_sums_close (struct top_sums *);

/* Applies new records.  False: out of memory. */
bool top_sums_play (struct top_sums *, const struct watched *);

/* Ends a period NOW, and begins the next. */
void top_sums_tick (struct top_sums *, uint64_t now);

/* Makes the last period all the time since the last reset. */
void top_sums_whole (struct top_sums *);

/* Sets all counts to 0, but for CPU times of threads. */
void top_sums_reset (struct top_sums *);

/* The process has ended, and with it all its threads. */
void top_sums_end (struct top_sums *, uint64_t now);

/* The longest time in one state, ended or not, since the last reset.  By polls known of sleep
   only. */
uint64_t top_longest (const struct top_thread *, enum timeline_state);

/* The sum of slices FIRST to FIRST + N - 1 of a thread; N: at most those of a second. */
struct top_slice top_sums_slices (const struct top_thread *, uint64_t first, uint64_t n);

#endif
