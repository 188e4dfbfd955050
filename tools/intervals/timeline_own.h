/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that make a timeline. */
#ifndef BBPROF_TIMELINE_OWN_H
#define BBPROF_TIMELINE_OWN_H

#include "common/contexts.h"
#include "tools/intervals/timeline_make.h"

/* Threads by tid; threads with one tid by birth. */
struct timeline_tid {
  uint64_t tid, thread; /* index */
};

/* The cost of switches. */
struct charges {
  int64_t time; /* nanoseconds; negative: less than in the records */
  uint64_t starts;
};

struct timeline_own {
  char **texts; /* of names and markers */
  size_t ntexts, room_texts;
  struct timeline_tid *tids; /* all threads */
  struct charges charges;    /* of all threads */
  struct timeline_node *nodes;
  size_t nnodes;
};

/* A copy that lives as long as T; null: out of memory. */
const char *timeline_keep_text (struct timeline *, const char *text);

/* A thread's state at its last record. */
struct life {
  uint64_t since;            /* when STATE began */
  uint64_t gap_from, gap_to; /* the part of it in which records are missing; both 0: none are */
  uint8_t state;             /* enum timeline_state */
  bool preempted;            /* see struct timeline_interval */
  uint16_t cpu;              /* current or last processor */
  uint16_t gap_cpu;
  uint32_t free; /* see struct timeline_interval */
  bool either;   /* RUNNING by a poll, which cannot tell it from ready */
  bool born;     /* its first record was its birth */
  bool lives;
  uint32_t place;       /* index in the list of living threads */
  struct bbs_look look; /* by polls: the last one; TID 0: none */
};

/* While a timeline is made: threads are in the order of their first records. */
struct making {
  struct timeline *t;
  const struct timeline_input *input;
  struct life *lives; /* of each thread */
  size_t room_lives;
  uint32_t *living; /* indices of threads */
  size_t nliving, room_living;
  uint64_t now;         /* time of the current record */
  uint64_t sure;        /* no record is missing since then */
  struct contexts tids; /* gives tids numbers, from 1 */
  uint32_t *latest;     /* by the number of a tid: the last thread that had it */
  size_t nlatest, room_latest;
  uint64_t *cpus; /* by processor: time of its last record of a switch */
  size_t ncpus, room_cpus;
  uint32_t *of_looks; /* thread of each poll; UINT32_MAX: none */
};

/* timeline_lives.c: the thread that has TID now, or had it last; UINT32_MAX: none so far.  False:
   out of memory. */
bool life_find (struct making *, uint32_t tid, uint32_t *thread);
/* Adds a thread. */
bool life_begin (struct making *, uint32_t tid, uint64_t time, enum timeline_state, uint16_t cpu,
                 uint32_t *thread);
void life_end (struct making *, uint32_t thread, uint64_t time);
/* Adds a thread's next interval, behind its last one; empty intervals are left out. */
bool life_add (struct timeline_thread *, const struct timeline_interval *);
/* Ends what THREAD has done since its last record; the next record is one of KIND on CPU. */
bool life_close_state (struct making *, uint32_t thread, uint64_t time, enum bbs_switch_kind kind,
                       uint16_t cpu);

/* timeline_switches.c: takes one record after the other, by time. */
bool timeline_switch (struct making *, const struct bbs_switch *);
/* Extends each thread's last state to END. */
bool timeline_end_switches (struct making *, uint64_t end);

/* timeline_gaps.c: between the last record of CPU and TIME, records are missing. */
bool timeline_gap (struct making *, uint16_t cpu, uint64_t time);

/* timeline_polls.c: takes one poll after the other. */
bool timeline_poll (struct making *, uint32_t thread, const struct bbs_look *);
/* Called after the sums.  Adds the time that the thread ran by its clock and that no poll observed.
   BEGUN and ENDED: as the thread itself recorded them. */
bool timeline_poll_rest (struct timeline_thread *, uint64_t begun, uint64_t ended);

/* timeline_charge.c: derives the cost of a thread's switches from its polls. */
void timeline_charge (struct timeline_thread *, const struct bbs_look *const *looks, size_t n,
                      bool born, struct charges *);
/* Charges the part behind the last poll, by the thread's clock, which was read when it ENDED.  The
   switches of a thread without a clock cost as much as those of others.  Then computes its sums. */
void timeline_charge_rest (struct timeline_thread *, uint64_t ended, const struct charges *);

/* timeline_reasons.c, timeline_ready.c: for one thread, first its waits for the profiler, then its
   polls by time. */
void timeline_add_wait (struct timeline_thread *, const struct bbs_wait *);
bool timeline_add_reasons (struct timeline_thread *, const struct bbs_look *const *looks, size_t n);
bool timeline_add_waits (struct timeline_thread *, const struct bbs_look *const *looks, size_t n,
                         bool born);

/* timeline_names.c: tids and names of threads; threads that were sampled, which may be others. */
bool timeline_add_names (struct timeline *, const struct timeline_input *);
bool timeline_add_marks (struct timeline *, const struct timeline_input *);
bool timeline_add_mpi_calls (struct timeline *, const struct timeline_input *);

/* Of the threads that had TID the last one that lived at TIME, or else the first one; null: none
   had it. */
struct timeline_thread *timeline_find_thread (const struct timeline *, uint32_t tid, uint64_t time);

/* timeline_locks.c: what threads waited for, when their intervals are final.  timeline_holders.c,
   timeline_wakers.c: which thread owned it then, and which one ended the wait; the latter when
   the samples are there.  False: no memory. */
bool timeline_add_locks (struct timeline *, const struct timeline_input *);
bool timeline_add_holders (struct timeline *, const struct timeline_input *);
bool timeline_add_wakers (struct timeline *);

struct model;
/* timeline_lock_names.c: the variables that contain locks, the functions that wait for them. */
bool timeline_name_locks (struct timeline *, const struct model *);

/* The position of a wait. */
struct timeline_wait_at {
  uint64_t key; /* the number to sort by */
  uint32_t thread, interval;
};
/* All waits, sorted by a KEY that OF computes; fresh memory.  Null: out of memory. */
struct timeline_wait_at *timeline_waits (const struct timeline *, size_t *n,
                                         uint64_t (*of) (const struct timeline_interval *));

/* timeline_sums.c: times, computed from the intervals. */
void timeline_add_sums (struct timeline_thread *);
/* All switches so far. */
struct timeline_counts timeline_counts (const struct timeline_thread *);

#endif
