/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timelines of hand-written records, for tests of the code that makes and shows timelines. */
#ifndef BBPROF_FAKE_TIMELINE_H
#define BBPROF_FAKE_TIMELINE_H

#include "tools/intervals/timeline_make.h"

struct fake {
  struct watched watched;
  struct bbs_watch watch;        /* by events, from time 0; may be changed */
  struct bbx_thread threads[16]; /* that were sampled */
  size_t nthreads;
};

void fake_begin (struct fake *);

/* Records, to be told in order of time, which is nanoseconds. */
void fake_switch (struct fake *, uint64_t time, uint32_t tid, unsigned cpu, enum bbs_switch_kind);
/* RUN and WAIT as the kernel has them. */
void fake_look (struct fake *, uint64_t time, uint32_t tid, char state, enum bbs_why, int call,
                uint64_t run, uint64_t wait);
/* Adds to the last poll, which saw a sleep for a lock: the lock's address, what is known of it, and
   the tid that it names as its owner. */
void fake_lock (struct fake *, uint64_t address, enum bbs_lock, uint32_t holder);
void fake_name (struct fake *, uint64_t time, uint32_t tid, const char *name);
void fake_mark (struct fake *, uint64_t time, uint32_t tid, const char *text);
void fake_sampled (struct fake *, uint32_t number, uint32_t tid, uint64_t begun, uint64_t ended,
                   uint64_t cpu, const char *name);

/* The timeline of all that, which is for timeline_close; FAKE is empty then. */
void fake_make (struct timeline *, struct fake *);

/* A timeline that has some of everything, 20 ms long on two processors: "main" (number 1) and
   "worker" (2) hand each other work through a lock, "spinner" (3) takes processor time from
   both, "reader" (4) waits for a pipe and dies; waits after wake-ups, a gap from 15 to 16 ms,
   marks, samples with stacks. */
void fake_timeline (struct timeline *);

#endif
