/* SPDX-License-Identifier: MIT */
/* What a program may call of the profiler that runs in it, in C and C++.  All of it is optional:
   a profiled program needs no call.  Any thread may call any of it at any time, also before
   main, and in signal handlers (but in one that interrupts dlopen or dlclose); nothing changes
   errno.

   A program that is also built without the profiler defines BBPROF_OPTIONAL before it includes
   this: the functions are weak then, to be called after a look whether they are there (if
   (bbprof_dump) bbprof_dump ();), and BBPROF_SCOPE does nothing where they are not.  With clang
   or without -pg nothing else has to change. */
#ifndef BBPROF_H
#define BBPROF_H

#include <stddef.h>

#ifdef BBPROF_OPTIONAL
#define BBPROF_FUNCTION __attribute__ ((weak))
#else
#define BBPROF_FUNCTION
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Stop counting in the whole process, and start again: calls, blocks and samples.  What was
   counted stays.  For the calling thread it holds when the function returns, from the next basic
   block on; another thread counts on until it fetches its next pointer to its counters, at the
   latest at its next call, or, if the program had 32 thread-specific keys (pthread_key_create)
   before its first profiled call, until it stops itself.  Threads, libraries and child processes
   that come meanwhile are stopped as well.  Do not nest: one start ends any number of stops.  No
   effect after _mcleanup. */
void bbprof_stop (void) BBPROF_FUNCTION;
void bbprof_start (void) BBPROF_FUNCTION;

/* The calling thread alone: 0 stops it, 1 starts it; returns what it was before.  It counts
   while both itself and the process do.  A new thread counts, unless BBPROF_OPTIONS has scope=1.
   Exact, as above.  Costs some microseconds if it changes anything, nanoseconds if not. */
int bbprof_thread (int on) BBPROF_FUNCTION;

/* What has been counted so far counts no more: the profile begins from zero.  0, or -ENOMEM:
   then part of the counts may be from before.  Other threads' counts of the moment are before or
   after it. */
int bbprof_reset (void) BBPROF_FUNCTION;

/* Write the profile now and go on: all that was counted since the start or the last reset.  The
   file is the one that is written at the end, again, unless its name has %n
   (BBPROF_OPTIONS=output=NAME): then each dump has a file of its own.  0; -EINVAL: no profile is
   running (after _mcleanup); or what went wrong, -ENOSPC for example, which is also said on
   stderr, once. */
int bbprof_dump (void) BBPROF_FUNCTION;

/* The bytes of gmon.out, to WRITER instead of a file: for programs without a file system, or
   with a better place.  What else a profile has (the file gmon.out.bbx: the names of libraries)
   is not among them.  WRITER gets them in order, in one or more pieces, and returns how many of
   the N it took; it may call anything, this library too.  0; -EINVAL as above; -ENOMEM; -EIO if
   WRITER took less than it was given, after which it is not called again. */
int bbprof_write (long (*writer) (void *context, const void *bytes, size_t n),
                  void *context) BBPROF_FUNCTION;

/* Count in this thread from here to the end of the enclosing braces, whichever way they are left
   but by longjmp; then as before.  Nests.  Makes a difference where the thread does not count
   outside: BBPROF_OPTIONS=scope=1 says so of all threads, bbprof_thread (0) of one.
     void query () { BBPROF_SCOPE (); ... } */
#define BBPROF_SCOPE()                                       \
  int BBPROF_UNIQUE (bbprof_scope_, __COUNTER__)             \
      __attribute__ ((cleanup (bbprof_scope_leave), unused)) \
      = bbprof_scope_enter ()
#define BBPROF_UNIQUE(name, number) BBPROF_UNIQUE_ (name, number)
#define BBPROF_UNIQUE_(name, number) name##number

static __inline __attribute__ ((always_inline, unused)) int
bbprof_scope_enter (void)
{
#ifdef BBPROF_OPTIONAL
  if (!bbprof_thread)
    return 1;
#endif
  return bbprof_thread (1);
}

static __inline __attribute__ ((always_inline, unused)) void
bbprof_scope_leave (const int *before)
{
  if (!*before)
    bbprof_thread (0);
}

/* Sample time from here on, in all threads, those that are there included.  WISH, which may be
   null, says how; what it does not say (zero) is as BBPROF_OPTIONS says, or else as here.  No
   profile need be running: one begins, and is written at the end.  What was sampled before by
   another sampler, clock, rate or choice of threads counts no more.  Not in a signal handler.
   0, or
     -EBUSY     bbprof record has started the program, and decides; or it has been called before,
                without bbprof_sampling_stop since
     -EINVAL    WISH is none: a clock that there is not, a rate of more than 1,000,000; or no
                profile can run, after _mcleanup
     -ENOTSUP   there is no such sampler, or it cannot keep that clock, or cannot be used here; for
                "auto": none can
     -ENOMEM    there is no memory to forget the samples from before, which may be among the new
                ones
   With the first three what was sampled before is sampled as before.  WISH says why, in words. */
struct bbprof_sampling {
  /* "thread", "perf", "ticker", "itimer" (bbprof-record(1)); "auto": the one that is best for clock
     and rate. */
  const char *sampler;
  /* BBPROF_CPU_TIME: that threads use; BBPROF_WALL_TIME: that passes for them. */
  int clock;
  unsigned rate;       /* samples a second, of each thread; as many as the kernel ticks */
  const char *threads; /* these only: ids, names, patterns, with commas between them; all */
  int stacks;          /* 1: each with its stack of calls, from now on; 0 */
  /* Set by the call.  Strings may be empty. */
  char runs[16];      /* the sampler that runs */
  int runs_clock;     /* the clock that it keeps */
  unsigned runs_rate; /* the rate that it promises, which may be less than was wished */
  char message[256];  /* what is not as wished, and why; one line */
};
enum { BBPROF_CPU_TIME = 1, BBPROF_WALL_TIME = 2 };
int bbprof_sampling_start (struct bbprof_sampling *wish) BBPROF_FUNCTION;

/* No more samples, until the next start: also if bbprof_stop and bbprof_start come between.  0;
   -EINVAL: bbprof_sampling_start has not begun any. */
int bbprof_sampling_stop (void) BBPROF_FUNCTION;

/* A mark in the timeline (bbprof record --timeline, bbprof timeline): this thread was here at
   this moment.  Of TEXT the first 47 bytes.  Costs three system calls, which wait for nothing;
   without a timeline, nothing. */
void bbprof_mark (const char *text) BBPROF_FUNCTION;

/* The threads of this process as they are now, for a display of the program's own: works without
   a profile, and needs nobody's help.  Sums are since the thread's birth; who wants rates takes
   two snapshots. */
struct bbprof_thread_row {
  int tid;
  int cpu; /* where it is, or was last; -1: not known */
  /* R: has a processor, or waits for one; S: sleeps; D: sleeps, not to be woken by signals; T:
     stopped; Z: the first thread, when it has ended before others. */
  char state;
  char name[16];
  unsigned long time; /* CLOCK_MONOTONIC, nanoseconds: of this row */
  /* nanoseconds: with a processor, up to now; ready, without one, up to when it got one last. */
  unsigned long run, wait;
  unsigned long voluntary, involuntary; /* switches: to sleep; because another one was to run */
};
/* Up to N ROWS, by tid, the lowest ones; returns how many threads there are (which may be more),
   or -errno.  Costs about 30 us a thread. */
int bbprof_monitor_snapshot (struct bbprof_thread_row *rows, int n) BBPROF_FUNCTION;

/* Samples one by one, as they are taken, for a display of the program's own, or a sampler's user
   who wants more than sums. */
struct bbprof_sample {
  unsigned long time;    /* CLOCK_MONOTONIC, nanoseconds */
  unsigned long address; /* the instruction pointer; in a system call: where the program goes on */
  int tid;               /* thread */
  int in_kernel;         /* 1: in a system call; 0: in code of its own */
  /* The flags word that the interruption has saved: of x86-64 the lower half of RFLAGS. */
  unsigned flags;
  unsigned ticks; /* that it stands for */
  unsigned lost;  /* so many samples just before it found no room */
};
/* Up to N of the SAMPLES that were taken since the call before, the oldest first; returns how
   many; or -EINVAL: no profile is running, or -ENOMEM.  The first call begins to keep them, and
   returns 0.  16,384 are kept; what comes then is lost, until some are fetched. */
int bbprof_samples (struct bbprof_sample *samples, int n) BBPROF_FUNCTION;

/* The names that the C libraries have had since 4.2BSD; programs written for them work
   unchanged. */

/* bbprof_stop (0), bbprof_start (not 0). */
void moncontrol (int on) BBPROF_FUNCTION;

/* Profile the addresses from LOW to HIGH, from zero.  Ignored while a profile is running; gcc
   -pg's start-up file starts one before main. */
void monstartup (unsigned long low, unsigned long high) BBPROF_FUNCTION;

/* Write gmon.out now and stop.  A later monstartup begins from zero, and its end overwrites the
   file. */
void _mcleanup (void) BBPROF_FUNCTION;

/* bbprof_dump, if anything was counted since the last. */
void write_profiling (void) BBPROF_FUNCTION;

#ifdef __cplusplus
}
#endif

#endif
