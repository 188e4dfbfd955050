/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that make a timeline share. */
#ifndef BBPROF_TIMELINE_OWN_H
#define BBPROF_TIMELINE_OWN_H

#include "common/contexts.h"
#include "tools/intervals/timeline_make.h"

/* A thread in the order of tids, those of one tid in the order of their births. */
struct timeline_tid {
  uint64_t tid, thread; /* index */
};

/* What switches have cost. */
struct charges {
  int64_t time; /* nanoseconds; below zero: less than the records tell */
  uint64_t starts;
};

struct timeline_own {
  char **texts; /* names, marks */
  size_t ntexts, room_texts;
  struct timeline_tid *tids; /* all threads */
  struct charges charges;    /* of all */
  struct timeline_node *nodes;
  size_t nnodes;
};

/* A copy that lives as long as T; null: no memory. */
const char *timeline_keep_text (struct timeline *, const char *text);

/* What a thread does when its last record was read. */
struct life {
  uint64_t since;            /* it is in STATE */
  uint64_t gap_from, gap_to; /* of that, what it did meanwhile is not known; both 0: all is */
  uint8_t state;             /* enum timeline_state */
  bool preempted;            /* see struct timeline_interval */
  uint16_t cpu;              /* where it runs, or ran last */
  uint16_t gap_cpu;
  uint32_t free; /* see struct timeline_interval */
  bool either;   /* RUNNING by a look, which does not tell that from ready */
  bool born;     /* its first record was of its birth */
  bool lives;
  uint32_t place;       /* among those that live */
  struct bbs_look look; /* by polls: the last one; TID 0: none */
};

/* While a timeline is made: threads are in the order in which they were first heard of. */
struct making {
  struct timeline *t;
  const struct timeline_input *input;
  struct life *lives; /* of each thread */
  size_t room_lives;
  uint32_t *living; /* threads */
  size_t nliving, room_living;
  uint64_t now;         /* of the record that is taken */
  uint64_t sure;        /* since then nothing was lost */
  struct contexts tids; /* gives them numbers, from 1 */
  uint32_t *latest;     /* by the number of the tid: the thread that had it last */
  size_t nlatest, room_latest;
  uint64_t *cpus; /* of each processor the time of the last record of a switch */
  size_t ncpus, room_cpus;
  uint32_t *of_looks; /* of each look, whose it is; UINT32_MAX: nobody's */
};

/* timeline_lives.c: the thread that has TID at the moment, or had it last; UINT32_MAX: nobody so
   far, or (false) no memory. */
bool life_find (struct making *, uint32_t tid, uint32_t *thread);
/* A new thread. */
bool life_begin (struct making *, uint32_t tid, uint64_t time, enum timeline_state, uint16_t cpu,
                 uint32_t *thread);
void life_end (struct making *, uint32_t thread, uint64_t time);
/* A thread's next interval, from the end of its last one on; empty ones are left out. */
bool life_add (struct timeline_thread *, const struct timeline_interval *);
/* What THREAD has done since its last record, which was to be ended by one of KIND on CPU. */
bool life_close_state (struct making *, uint32_t thread, uint64_t time, enum bbs_switch_kind kind,
                       uint16_t cpu);

/* timeline_switches.c: one record after the other, in order of time. */
bool timeline_switch (struct making *, const struct bbs_switch *);
/* What each thread does goes on to END. */
bool timeline_end_switches (struct making *, uint64_t end);

/* timeline_gaps.c: between the last record of CPU and TIME, some are missing. */
bool timeline_gap (struct making *, uint16_t cpu, uint64_t time);

/* timeline_polls.c: one look after the other. */
bool timeline_poll (struct making *, uint32_t thread, const struct bbs_look *);
/* When the sums are there: when it has BEGUN, as far as it was watched then, and ENDED; what it
   ran by its clock, and nobody saw. */
bool timeline_poll_rest (struct timeline_thread *, uint64_t begun, uint64_t ended);

/* timeline_charge.c: what of a thread's switches its looks tell. */
void timeline_charge (struct timeline_thread *, const struct bbs_look *const *looks, size_t n,
                      bool born, struct charges *);
/* When its clock is there, which was read when it ENDED: what came behind the looks; of who has
   none, its switches cost as much as those of others did.  Its sums of times follow. */
void timeline_charge_rest (struct timeline_thread *, uint64_t ended, const struct charges *);

/* timeline_reasons.c, timeline_ready.c: of one thread, first what it has waited for the
   profiler; then its looks in order of time. */
void timeline_add_wait (struct timeline_thread *, const struct bbs_wait *);
bool timeline_add_reasons (struct timeline_thread *, const struct bbs_look *const *looks, size_t n);
bool timeline_add_waits (struct timeline_thread *, const struct bbs_look *const *looks, size_t n,
                         bool born);

/* timeline_names.c: who had which tid, what they are called; those that were sampled, which may
   be others. */
bool timeline_add_names (struct timeline *, const struct timeline_input *);
bool timeline_add_marks (struct timeline *, const struct timeline_input *);

/* Of the threads that have had TID the last one that lived at TIME, or else the first one; null:
   none had it. */
struct timeline_thread *timeline_find_thread (const struct timeline *, uint32_t tid, uint64_t time);

/* timeline_locks.c: what threads waited for, when their intervals are final.  timeline_holders.c,
   timeline_wakers.c: which thread owned it then, and which one ended the wait; the latter when
   the samples are there.  False: no memory. */
bool timeline_add_locks (struct timeline *, const struct timeline_input *);
bool timeline_add_holders (struct timeline *, const struct timeline_input *);
bool timeline_add_wakers (struct timeline *);

struct model;
/* timeline_lock_names.c: the variables that locks lie in, the functions that wait for them. */
bool timeline_name_locks (struct timeline *, const struct model *);

/* A wait with its place. */
struct timeline_wait_at {
  uint64_t key; /* to sort by */
  uint32_t thread, interval;
};
/* All waits, by KEY, which OF makes; fresh memory.  Null: no memory. */
struct timeline_wait_at *timeline_waits (const struct timeline *, size_t *n,
                                         uint64_t (*of) (const struct timeline_interval *));

/* timeline_sums.c: of times, by its intervals. */
void timeline_add_sums (struct timeline_thread *);
/* Of all switches so far. */
struct timeline_counts timeline_counts (const struct timeline_thread *);

#endif
