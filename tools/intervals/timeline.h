/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which thread ran when: what was watched (gmon.out.bbs), made into intervals that cover each
   thread's life.  Read once, then only looked at. */
#ifndef BBPROF_TIMELINE_H
#define BBPROF_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "include/bbprof-samples.h"

/* Times are nanoseconds since the run began. */

enum timeline_state {
  TIMELINE_RUNNING,  /* it has a processor */
  TIMELINE_READY,    /* it could run, but has none */
  TIMELINE_SLEEPING, /* it waits for something */
  TIMELINE_UNKNOWN,  /* a gap: what it did is not known */
  TIMELINE_STATES
};

/* Numbers of switches, modulo 2^32: only differences of two are of use. */
struct timeline_counts {
  uint32_t voluntary, involuntary; /* away from a processor: to wait; to be ready */
  uint32_t migrations;             /* to another processor than the one before */
};

struct timeline_interval {
  uint64_t start, end;
  uint8_t state; /* enum timeline_state */
  uint8_t why;   /* enum bbs_why; sleeping only */
  /* ready: it had to leave the processor, or yielded; else it has been woken up. */
  bool preempted;
  /* Its bounds, or that it was so, follow from sums: by polls, and of a wait after a wake-up
     that was not seen alone; sleeping, by events: WHY is that of looks near by, or at its end it
     may have been ready already. */
  bool estimated;
  int32_t call; /* system call; -1: none; BBS_CALL_NOT_KNOWN */
  uint16_t cpu; /* running: where; BBS_CPU_UNKNOWN */
  /* running: nanoseconds, at most, in which nobody else of the process had the processor before
     START. */
  uint32_t free;
  /* Of the thread's switches up to START, and at it; by polls, of those that looks have read by
     then. */
  struct timeline_counts counts;
  uint32_t wait; /* 1 + index of the timeline's waits; 0: none */
};

/* How something is known: read from the process; inferred from what was read near by; not known. */
enum timeline_source { TIMELINE_ABSENT, TIMELINE_KNOWN, TIMELINE_INFERRED, TIMELINE_SOURCES };

/* A lock, condition variable, semaphore, ... that threads waited for. */
struct timeline_lock {
  uint64_t address; /* in the process */
  uint8_t why;      /* enum bbs_why: what it is */
  uint8_t type;     /* enum bbs_lock */
  uint8_t area;     /* enum bbs_area */
  uint32_t stack;   /* BBS_AREA_STACK: tid of the thread whose stack it lies on; 0: not known */
  uint32_t joined;  /* of BBS_WHY_THREAD: index of the thread that is joined; UINT32_MAX */
  const char *name; /* of the variable that it lies in, "pool+0x28"; null: not known */
};

enum timeline_waker {
  TIMELINE_WAKER_ABSENT,
  TIMELINE_WAKER_HOLDER, /* owned the lock, and ran at the wake-up */
  TIMELINE_WAKER_ENDED,  /* is the thread that was joined */
  TIMELINE_WAKER_ONLY    /* was the only thread of the program that ran at the wake-up */
};

/* What is known of a sleep in which a thread waited for a lock. */
struct timeline_wait {
  uint32_t lock;  /* index */
  uint8_t source; /* enum timeline_source: of LOCK */
  /* Enum timeline_source, of HOLDER.  TIMELINE_KNOWN: the lock named its owner at HOLDER_TIME; a
     joined thread counts as holder.  TIMELINE_INFERRED: the last thread
     whose wait for the lock ended before this one. */
  uint8_t holder_source;
  uint8_t waker_source;   /* enum timeline_waker; all but TIMELINE_WAKER_ABSENT are inferred */
  uint32_t holder, waker; /* indices of threads; UINT32_MAX: not known */
  uint64_t holder_time;
  uint64_t caller;      /* where libc's function returns to; 0: not known */
  const char *function; /* of CALLER; null: not known */
};

/* Of the whole life as far as it was watched, or of a part of it (timeline_sum). */
struct timeline_sums {
  uint64_t time[TIMELINE_STATES];  /* in each state */
  uint64_t why[BBS_WHYS];          /* of the sleep */
  uint64_t voluntary, involuntary; /* switches, away from a processor: to wait; to be ready */
  uint64_t migrations;             /* to another processor than the one before */
};

/* A sample of the thread's stack. */
struct timeline_sample {
  uint64_t time;
  uint32_t stack; /* of timeline_frame */
  uint16_t ticks;
  bool sleeps; /* taken of the thread while it was on no processor */
};

/* How far the kernel's sums of what a thread ran have been compared with its intervals. */
struct timeline_charged {
  uint64_t before; /* nanoseconds that it had run when it was seen first; BBS_NOT_KNOWN */
  uint64_t to;     /* time */
  uint64_t wait;   /* by polls: nanoseconds that it waited before it was seen first */
};

struct timeline_thread {
  uint32_t number; /* as in the other reports; 0: the samples do not know it */
  uint32_t tid;
  const char *name;      /* that it had last; never null */
  uint64_t begun, ended; /* of its life, as far as it was watched */
  /* One behind the other, without holes, from BEGUN to ENDED. */
  struct timeline_interval *intervals;
  size_t nintervals, room;
  struct timeline_sums sums;
  struct timeline_charged charged;
  /* nanoseconds, by the thread's CPU clock, in all its life; BBS_NOT_KNOWN. */
  uint64_t cpu;
  struct timeline_sample *samples; /* in order of time */
  size_t nsamples, room_samples;
};

struct timeline_mark {
  uint64_t time;
  uint32_t thread; /* index; UINT32_MAX: not known */
  const char *text;
  uint32_t tid; /* also of a thread that is not known: polls miss short ones */
};

struct timeline {
  const char *program;       /* name of the program's file; may be null */
  struct bbs_watch watch;    /* how it was watched */
  uint64_t start, end;       /* of what was watched, and of marks */
  unsigned cpus;             /* processors that something ran on: numbers below this */
  uint64_t lost, lost_marks; /* switches, marks */
  uint64_t own_ns; /* that threads of the run-time library ran, which are not among THREADS */
  /* A line: functions may have wrong names, because the program is another build; else null. */
  const char *doubt;
  struct timeline_thread *threads; /* in order of birth */
  size_t nthreads, room;
  struct timeline_mark *marks; /* in order of time */
  size_t nmarks, room_marks;
  struct timeline_lock *locks; /* in the order in which they were first seen */
  size_t nlocks, room_locks;
  struct timeline_wait *waits;
  size_t nwaits, room_waits;
  struct timeline_own *own; /* private */
};

/* PROFILE: gmon.out, whose .bbs and .bbx are read; PROGRAM: null, or the program's file in
   another place.  False: ERR says why; timeline_close is right all the same.  ANY_BUILD: the
   program may be another build than the one that ran.  Warnings go to stderr, behind ARGV0. */
bool timeline_open (struct timeline *, const char *profile, const char *program, bool any_build,
                    const char *argv0, struct error *err);
void timeline_close (struct timeline *);

/* Index of the first interval that ends after TIME. */
size_t timeline_first (const struct timeline_thread *, uint64_t time);
/* The interval of TIME; null: it is not there then. */
const struct timeline_interval *timeline_at (const struct timeline_thread *, uint64_t time);
/* Of the part from FROM to TO; switches and migrations count if they are in it. */
struct timeline_sums timeline_sum (const struct timeline_thread *, uint64_t from, uint64_t to);
/* Of the switches before TIME; behind the thread's end, of all. */
struct timeline_counts timeline_counts_before (const struct timeline_thread *, uint64_t time);
/* Name of the function of the Nth frame of STACK, the innermost is 0; null: there are no more.
   Stacks are numbered below timeline_stacks; 0: not known, no frame. */
const char *timeline_frame (const struct timeline *, uint32_t stack, size_t n);
size_t timeline_stacks (const struct timeline *);

/* For people, as in legends, and a word for programs. */
const char *timeline_state_text (enum timeline_state);
const char *timeline_state_name (enum timeline_state);
/* What the thread waits in, for people: "futex (lock)", "page fault", ...; into TEXT. */
void timeline_reason (const struct timeline_interval *, char *text, size_t size);

/* What the thread waited for in this interval, if that is known; else null. */
const struct timeline_wait *timeline_wait_of (const struct timeline *,
                                              const struct timeline_interval *);
/* For people: the variable's name, or the address and the memory that it lies in; into TEXT. */
void timeline_lock_text (const struct timeline *, const struct timeline_lock *, char *text,
                         size_t size);
/* For people, and words for programs. */
const char *timeline_lock_kind (const struct timeline_lock *);
const char *timeline_area_name (enum bbs_area);
const char *timeline_source_name (enum timeline_source);
const char *timeline_waker_name (enum timeline_waker);

#endif
