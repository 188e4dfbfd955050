/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states of all threads: the records of gmon.out.bbs, made into intervals that cover each
   thread's life.  The intervals are made once by timeline_open, then only read. */
#ifndef BBPROF_TIMELINE_H
#define BBPROF_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "include/bbprof-samples.h"

/* Times are nanoseconds since the run began. */

enum timeline_state {
  TIMELINE_RUNNING,  /* on a processor */
  TIMELINE_READY,    /* waits for a processor */
  TIMELINE_SLEEPING, /* waits for something else */
  TIMELINE_UNKNOWN,  /* a gap in the records */
  TIMELINE_STATES
};

/* Numbers of switches, modulo 2^32: only differences are meaningful. */
struct timeline_counts {
  uint32_t voluntary, involuntary; /* away from a processor: to sleep; to be ready */
  uint32_t migrations;             /* to another processor than the last one */
};

struct timeline_interval {
  uint64_t start, end;
  uint8_t state; /* enum timeline_state */
  uint8_t why;   /* enum bbs_why; for sleeping only */
  /* ready: preempted, or it yielded; else woken up. */
  bool preempted;
  /* The bounds or the state are computed from sums: by polls, and in a ready interval after a
     wake-up that shares its sum with others.  Sleeping, by events: WHY is that of polls near by, or
     the thread may have been ready at the end. */
  bool estimated;
  int32_t call; /* system call; -1: none; or BBS_CALL_NOT_KNOWN */
  uint16_t cpu; /* running: the processor; or BBS_CPU_UNKNOWN */
  /* running: nanoseconds before START, at most, in which no other thread of the process had the
     processor. */
  uint32_t free;
  /* The thread's switches up to and at START; by polls, those that polls had read by then. */
  struct timeline_counts counts;
  uint32_t wait; /* 1 + index in the timeline's waits; 0: none */
};

/* How something is known: read from the process, or inferred from other observations. */
enum timeline_source { TIMELINE_ABSENT, TIMELINE_KNOWN, TIMELINE_INFERRED, TIMELINE_SOURCES };

/* A lock, condition variable, semaphore ... that threads waited for. */
struct timeline_lock {
  uint64_t address; /* in the process */
  uint8_t why;      /* enum bbs_why: the kind */
  uint8_t type;     /* enum bbs_lock */
  uint8_t area;     /* enum bbs_area */
  uint32_t stack;   /* BBS_AREA_STACK: tid of the thread that has this stack; 0: unknown */
  uint32_t joined;  /* BBS_WHY_THREAD: index of the joined thread; UINT32_MAX: unknown */
  const char *name; /* of the variable that it lies in: "pool+0x28"; null: unknown */
};

enum timeline_waker {
  TIMELINE_WAKER_ABSENT,
  TIMELINE_WAKER_HOLDER, /* the lock's holder, which ran at the wake-up */
  TIMELINE_WAKER_ENDED,  /* the joined thread */
  TIMELINE_WAKER_ONLY    /* the only thread of the program that ran at the wake-up */
};

/* A sleep in which a thread waited for a lock. */
struct timeline_wait {
  uint32_t lock;  /* index */
  uint8_t source; /* enum timeline_source, of LOCK */
  /* Enum timeline_source, of HOLDER.  TIMELINE_KNOWN: the lock named its owner at HOLDER_TIME; a
     joined thread counts as holder.  TIMELINE_INFERRED: the last thread with a wait for the lock
     that ended before this one. */
  uint8_t holder_source;
  uint8_t waker_source;   /* enum timeline_waker; all but TIMELINE_WAKER_ABSENT are inferred */
  uint32_t holder, waker; /* indices of threads; UINT32_MAX: unknown */
  uint64_t holder_time;
  uint64_t caller;      /* return address of libc's function that waits; 0: unknown */
  const char *function; /* the function of CALLER; null: unknown */
};

/* Of the whole life, as far as it was watched, or of a part of it (timeline_sum). */
struct timeline_sums {
  uint64_t time[TIMELINE_STATES];  /* in each state */
  uint64_t why[BBS_WHYS];          /* of the sleep, by enum bbs_why */
  uint64_t voluntary, involuntary; /* switches away from a processor: to sleep; to be ready */
  uint64_t migrations;             /* to another processor than the last one */
};

/* A sample of the thread's stack. */
struct timeline_sample {
  uint64_t time;
  uint32_t stack; /* for timeline_frame */
  uint16_t ticks;
  bool sleeps; /* the thread was on no processor */
};

/* A call of MPI. */
struct timeline_mpi_call {
  uint64_t start, end;
  const char *name; /* "MPI_Send" */
};

/* How far the kernel's sums of running time were compared with the thread's intervals. */
struct timeline_charged {
  uint64_t before; /* nanoseconds that it had run before its first observation; or BBS_NOT_KNOWN */
  uint64_t to;     /* time up to which they were */
  uint64_t wait;   /* by polls: nanoseconds that it had been ready before its first observation */
};

struct timeline_thread {
  uint32_t number; /* as in the other reports; 0: the thread has no samples */
  uint32_t tid;
  const char *name;      /* its last name; never null */
  uint64_t begun, ended; /* as far as it was watched */
  /* Adjacent, from BEGUN to ENDED. */
  struct timeline_interval *intervals;
  size_t nintervals, room;
  struct timeline_sums sums;
  struct timeline_charged charged;
  /* The thread's CPU clock, nanoseconds of its whole life; or BBS_NOT_KNOWN. */
  uint64_t cpu;
  struct timeline_sample *samples; /* by time */
  size_t nsamples, room_samples;
  struct timeline_mpi_call *mpi_calls; /* by start, without overlap */
  size_t nmpi_calls, room_mpi_calls;
};

struct timeline_mark {
  uint64_t time;
  uint32_t thread; /* index; UINT32_MAX: unknown */
  const char *text;
  uint32_t tid; /* also of an unknown thread: polls miss short ones */
};

struct timeline {
  const char *program;    /* name of the program's file; may be null */
  struct bbs_watch watch; /* by events or polls, and since when */
  uint64_t start, end;    /* of all records and markers */
  unsigned cpus;          /* processors that threads ran on have numbers below this */
  uint64_t lost, lost_marks, lost_mpi_calls; /* number of lost switches, markers, times of calls */
  /* running time of the run-time library's own threads, which are not in THREADS */
  uint64_t own_ns;
  /* A warning: the program is another build than the one that ran, so functions may have wrong
     names; else null. */
  const char *doubt;
  bool damaged; /* something in the file is wrong, other than that it ends too early */
  struct timeline_thread *threads; /* by birth */
  size_t nthreads, room;
  struct timeline_mark *marks; /* by time */
  size_t nmarks, room_marks;
  struct timeline_lock *locks; /* by first observation */
  size_t nlocks, room_locks;
  struct timeline_wait *waits;
  size_t nwaits, room_waits;
  struct timeline_own *own; /* private */
};

/* Reads PROFILE (gmon.out) and its .bbs and .bbx.  PROGRAM: the program's file, if it is not where
   it was; or null.  ANY_BUILD: the program may be another build than the one that ran.  False: ERR
   says why; call timeline_close in any case.  Warnings go to stderr, behind ARGV0. */
bool timeline_open (struct timeline *, const char *profile, const char *program, bool any_build,
                    const char *argv0, struct error *err);
/* The same of a model that was read of PROFILE alone, with its stacks. */
struct model;
bool timeline_open_model (struct timeline *, const char *profile, const struct model *,
                          const char *program, const char *argv0, struct error *err);
void timeline_close (struct timeline *);

/* Index of the first interval that ends after TIME. */
size_t timeline_first (const struct timeline_thread *, uint64_t time);
/* The interval of TIME; null: the thread does not live then. */
const struct timeline_interval *timeline_at (const struct timeline_thread *, uint64_t time);
/* Sums of the part from FROM to TO, with the switches and migrations in it. */
struct timeline_sums timeline_sum (const struct timeline_thread *, uint64_t from, uint64_t to);
/* Switches before TIME; if the thread has ended by then, all. */
struct timeline_counts timeline_counts_before (const struct timeline_thread *, uint64_t time);
/* The name of the function of STACK's Nth frame, 0 is the innermost; null: there are no more.
   Stacks are numbered below timeline_stacks; stack 0 is unknown and has no frame. */
const char *timeline_frame (const struct timeline *, uint32_t stack, size_t n);
size_t timeline_stacks (const struct timeline *);

/* Text for users, as in legends; a word for programs. */
const char *timeline_state_text (enum timeline_state);
const char *timeline_state_name (enum timeline_state);
/* The wait reason as text for users: "futex (lock)", "page fault", ... */
void timeline_reason (const struct timeline_interval *, char *text, size_t size);

/* The wait for a lock in this interval; null: none is known. */
const struct timeline_wait *timeline_wait_of (const struct timeline *,
                                              const struct timeline_interval *);
/* Text for users: the variable's name, or the address and its memory. */
void timeline_lock_text (const struct timeline *, const struct timeline_lock *, char *text,
                         size_t size);
/* Words for users and programs. */
const char *timeline_lock_kind (const struct timeline_lock *);
const char *timeline_area_name (enum bbs_area);
const char *timeline_source_name (enum timeline_source);
const char *timeline_waker_name (enum timeline_waker);

#endif
