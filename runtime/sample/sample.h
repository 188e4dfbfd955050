/* SPDX-License-Identifier: MIT */
/* Sampled time: what a sample holds (the collector), and whether samplers run, which decide when
   one is taken.

     sampler  --signal-->  collector  -->  unwinder: the stack
                                      -->  calling contexts: counted for ever, lossless;
                                           written by the dump
                                      -->  samples by address, for the histograms of gmon.out
                                      -->  ring of the thread: when; drained by another
                                           process, may overrun

   In signal context nothing waits, allocates but by mmap, or calls libc. */
#ifndef BBP_SAMPLE_H
#define BBP_SAMPLE_H

#include <linux/io_uring.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof-samples.h"
#include "runtime/base/state.h"
#include "runtime/unwind/unwind.h"
#include "runtime/dump/dump.h"

#pragma GCC visibility push(hidden)

/* sample_table.c */
bool bbp_samples_make (void);   /* cold, once or more; false: no memory */
void bbp_samples_enable (bool); /* cold: starts and stops the timer too */
/* cold, lock held: false: bbp_samples_enable starts nothing. */
void bbp_samples_want (bool);
void bbp_samples_pause (bool); /* cold, lock held: for as long as it is held for long */
/* signal; false: not the program's time, or not to be counted. */
bool bbp_samples_count (uintptr_t pc, unsigned ticks);
/* The same, of another thread, which sleeps there. */
bool bbp_samples_count_asleep (uintptr_t pc, unsigned ticks);
void bbp_samples_leave_out (unsigned ticks); /* signal: of a thread that is not to be sampled */
/* cold: nanoseconds while enabled, since the last reset. */
void bbp_samples_clocks (uint64_t *wall, uint64_t *cpu);
/* cold: since the last reset, those left out and lost included. */
uint64_t bbp_samples_taken (void);
/* cold, lock held: whether samples are taken may have changed. */
void bbp_samples_set_clocks (void);
uint64_t bbp_samples_left_out (void); /* any: of stopped threads, since the last reset */
/* any: ticks by the CPU clock and the rate, since the last reset; 0: not known. */
uint64_t bbp_samples_due (void);
uint64_t bbp_samples_missed (void); /* cold: ticks of threads that the sampler could not reach */
void bbp_samples_reset (void);      /* cold */

/* sampler.c: the one handler of ticks */
/* Hz: what the sampler has promised, or the kernel gives. */
int bbp_sampler_rate (void);
/* cold, lock held: one more, or one less, who wants the timer. */
void bbp_sampler_run (bool);
bool bbp_sampler_pause (bool);     /* cold, lock held */
bool bbp_sampler_is_paused (void); /* cold, lock held */
void bbp_sampler_forked (void);    /* cold */
void bbp_sampler_forbid (bool);    /* cold */
void bbp_sampler_drop_tick (void); /* cold */
bool bbp_sampler_stands_in (void); /* any */
/* any: the program handles SIGPROF itself, or no longer. */
void bbp_sampler_take_signal (bool taken);
/* any: it sets setitimer's timer, or has none; whether it had one before. */
bool bbp_sampler_take_timer (bool taken);
void bbp_sampler_confine (void); /* cold: POSIX timers will be refused */
bool bbp_sampler_runs (void);    /* any: ticks come */
/* any: the profiling timer is set, and ours. */
bool bbp_sampler_has_timer (void);
bool bbp_sampler_takes_sigprof (void);       /* cold: its ticks come by that */
bool bbp_sampler_shares_signal (int number); /* any: our handler calls the program's */
void bbp_on_tick (int, siginfo_t *, void *); /* signal */

struct bbp_context;
struct bbp_sampled;

/* A way to make threads stop at regular times: one file each.  Context: cold, lock held, but as
   said. */
struct bbp_sampler {
  const char *name;
  bool per_thread; /* threads have to be told of */
  bool clocks[2];  /* by enum bbp_clock: which it can keep */
  /* Null: it works here with the CLOCK and RATE; else why not, in short words. */
  const char *(*refuses) (enum bbp_clock clock, unsigned rate);
  /* Begin to tick at RATE a second of CLOCK; the rate that is really to be expected; 0: not
     possible. */
  unsigned (*start) (enum bbp_clock clock, unsigned rate);
  void (*stop) (void);
  /* A thread begins (in itself, or found by the scan) or ends.  Cold; if !per_thread null. */
  void (*thread_begin) (struct bbp_sampled *);
  void (*thread_end) (struct bbp_sampled *);
  /* While the lock is held for long.  Null: nothing has to be done. */
  void (*pause) (bool);
  /* In the child, which has inherited no timer; before start, if it is to go on. */
  void (*forked) (void);
  /* Does the signal bring a tick of this sampler's, and how many it stands for: perhaps none;
     BBP_NO_TICK: it is another's.  Signal, in the thread that is to be sampled. */
  unsigned (*ticks) (const siginfo_t *);
  /* That has been collected, or left out.  Null: nothing has to be done.  Signal, the same. */
  void (*collected) (void);
  /* Whether the ticks have taken more of the processors' time than they may, so that the ticker
     has to go on.  Null: they never do.  Signal. */
  bool (*is_too_costly) (void);
  /* The program gives up the system calls of POSIX timers: none is made any more.  Null: it
     makes none.  Cold, lock held, while it is stopped. */
  void (*confine) (void);
  /* The number of its own thread, which is not to be sampled; 0: there is none.  Null: it never
     has one.  Any. */
  int (*own_thread) (void);
};
/* All of them, each in its place. */
enum bbp_sampler_index { BBP_ITIMER, BBP_THREAD, BBP_TICKER, BBP_PERF, BBP_SAMPLERS };
extern const struct bbp_sampler *const bbp_samplers[BBP_SAMPLERS];

/* What sampling asks of those above it, or tells them.  Signal, but as said. */
struct bbp_sample_above {
  bool (*counts) (void); /* whether the calling thread counts now */
  /* The signal of ticks was sent for a hold: then the thread has waited. */
  bool (*pause_requested) (const siginfo_t *, const void *context);
  void (*tick_begins) (void);
  /* The program has asked for a histogram of its own (profil.c). */
  void (*profil) (uintptr_t pc, unsigned ticks);
  void (*tick_ends) (const void *context);
  uint64_t (*checkpoint_due) (void); /* any: when the profile is to be written next */
  /* A sample, for who wants to see each; the same of a thread that sleeps. */
  void (*observe) (const void *context, unsigned ticks);
  void (*observe_asleep) (const struct bbp_sampled *, const struct bbp_context *code,
                          unsigned ticks);
  /* When it was taken (ring.c). */
  void (*put) (struct bbp_sampled *, uint32_t node, unsigned ticks, bool sleeps);
  void (*thread_begins) (struct bbp_sampled *); /* cold, lock held */
  void (*thread_ends) (struct bbp_sampled *);   /* the same */
};
extern const struct bbp_sample_above bbp_sample_above;
#define BBP_NO_TICK (~0U)
unsigned bbp_sampler_kernel_rate (void); /* ticks a second of the kernel; any */
/* Nanoseconds until the first tick, at random, so that what lives for less than the interval
   between ticks has its share of them.  Those of CPU time are seen at the kernel's own ticks.
   Cold, lock held. */
uint64_t bbp_sampler_first (enum bbp_clock clock, unsigned rate);

/* sampled_threads.c: every thread that is sampled, whatever made it.  Memory of its own, which
   goes to another thread after its end.  The handler uses only the calling thread's. */
enum { BBP_DEPTH = 512 }; /* frames of a stack, at most; the innermost ones are kept */
struct bbp_sampled {
  struct bbp_sampled *next;       /* all ever made; lock */
  struct bbp_sampled *in_chain;   /* of those whose numbers in the kernel are alike; writer: lock */
  struct bbp_sampled *next_ended; /* lock */
  int chained;                    /* the number by which it is in that chain; lock */
  uint32_t number;                /* of the thread, from 1, never used again */
  int tid;                        /* 0: nobody; writer: under the lock */
  /* Number of who has had it last, and may be there for a moment yet; 0: nobody is; lock. */
  int leaving;
  bool ended;
  uint64_t seen;            /* by which scan, last; lock */
  uint64_t begun, ended_at; /* nanoseconds since the run began */
  uint64_t cpu;             /* nanoseconds of CPU time when it ended */
  char name[16];
  /* Its stack, as far as it is known: where the stack pointer may be, and the end of what can be
     read above that; 0: not known.  Writer: the thread. */
  uintptr_t stack_low, stack_high;
  /* If that is not known: stack pointer of its outermost call, as seen first; 0: not yet;
     writer: its handler. */
  uintptr_t home;
  uint32_t context;      /* its root; writer: the thread */
  struct bbs_ring *ring; /* or null; ring.c */
  /* The sampler thread's: timer_t of the kernel's, plus 1; 0: it has none. */
  int timer;
  void *page; /* perf's: mapping of the event; null: it has none */
  int beside; /* the same: timer_t, plus 1; 0: it has none */
  struct bbp_ticked *ticked;
  bool deaf; /* it blocks the signal of ticks, and gets none; lock */
  /* CPU time when its handler began; and ended, the time before; writer: that. */
  uint64_t entered, left;
  /* CPU time that its ticks stand for, in nanoseconds; writer: its handler. */
  uint64_t accounted;
  /* Of the ticks that are being collected: passed in the kernel, where the sampler may not look. */
  unsigned unseen;
  /* Node that its last sample was counted in, 0: none; writer: its handler. */
  uint32_t last;
  uint32_t flags; /* the flags word that was saved there; writer: its handler */
  /* restart.c: the waiting call that goes on after a tick; writer: its handlers. */
  uintptr_t restart_pc, restart_sp; /* where it is made again; 0: nowhere */
  long restart_number;
  bool restart_by_kernel;                       /* and by whom */
  uint64_t restart_until;                       /* CLOCK_MONOTONIC */
  struct timespec restart_left;                 /* for which it is told to wait */
  struct io_uring_getevents_arg restart_events; /* where it is told so, if it is io_uring_enter */
  /* Its handler runs, or somebody counts for it as it sleeps: a tick that comes in between is
     lost; atomic. */
  bool busy;
  struct bbp_frame frames[BBP_DEPTH + 2]; /* the innermost first */
  uint32_t nodes[BBP_DEPTH + 4];          /* of its last stack, the outermost first */
  uint32_t nnodes;
};
extern __thread struct bbp_sampled *bbp_sampled __attribute__ ((tls_model ("initial-exec")));
/* cold, takes the lock: enters it, and tells the sampler; null: no memory. */
struct bbp_sampled *bbp_sampled_begin (int tid);
void bbp_sampled_end (struct bbp_sampled *); /* the same */
/* cold, takes the lock: threads that nobody has told of; those that have ended unseen. */
void bbp_sampled_scan (void);
extern struct bbp_sampled *bbp_sampled_all; /* the newest first; lock */
/* The calling thread's; null: not entered; signal. */
struct bbp_sampled *bbp_sampled_self (void);
/* cold, takes the lock: the calling thread, if threads are sampled. */
void bbp_sampled_begin_self (void);
/* Cold: the calling thread's stack has so many bytes, as pthread_create was told. */
void bbp_sampled_know_stack (size_t bytes);
void bbp_sampled_end_self (void); /* the same; for good */
/* How many ticks of RATE a second the calling thread's CPU clock has gone on since it was asked
   last: to the nearest, or only whole ones; signal. */
unsigned bbp_sampled_due (struct bbp_sampled *, unsigned rate, bool nearest);
/* signal: it is time to look for others, perhaps. */
void bbp_sampled_tick (void);
void bbp_sampled_look (void);        /* signal: it is, indeed */
uint32_t bbp_sampled_threads (void); /* how many there ever were; any */
/* Cold, lock held. */
void bbp_sampled_start (void); /* the sampler runs; all threads get their ticks */
void bbp_sampled_stop (void);  /* and no longer */
void bbp_sampled_forked (void);
void bbp_sampled_scan_locked (void);
void bbp_sampled_update (void); /* write down what is known of all that are there */
/* What is known of the thread NUMBER, from 1, ended or not; false: there was none so far. */
/* As it was written down last: at its end, by a scan, or by bbp_sampled_update. */
bool bbp_sampled_facts (uint32_t number, struct bbx_thread *);
void bbp_collector_start (void);    /* cold, lock held: before the first tick */
void bbp_collector_describe (void); /* cold, lock held: what sampler and rate are is known */
void bbp_collector_reset (void);    /* cold, lock held */

/* collector.c: a sample of the calling thread, interrupted in CONTEXT, which stands for TICKS of
   them.  Signal. */
void bbp_collect (void *context, unsigned ticks);
/* The same for a thread that sleeps, by its stack as it was collected in this same sleep: NODE.
   Called by samplers. */
void bbp_collect_again (struct bbp_sampled *, uint32_t node, unsigned ticks);
/* user_threads.c: whether STACK, of the calling thread in CONTEXT, is not the thread's own: it
   runs user-level threads.  Signal. */
bool bbp_stack_is_of_user_thread (struct bbp_sampled *, const void *context,
                                  const struct bbp_unwound *stack);
uint32_t bbp_context_enter (uint32_t parent, const struct bbp_frame *); /* signal; 0: no memory */
void bbp_context_count (uint32_t node, unsigned ticks);                 /* signal */
/* signal; it has this key. */
bool bbp_context_is (uint32_t node, uint32_t parent, const struct bbp_frame *);

/* restart.c: the system call that the tick has interrupted, and which would fail with EINTR for
   that, goes on when the handler returns, with the time that is left.  Only if no handler of the
   program's has run.  Signal. */
void bbp_restart (struct bbp_sampled *, void *context);
/* A handler of the program's comes between, in CONTEXT: then that is what the call has been
   interrupted by.  RESTARTS: it has SA_RESTART.  Signal. */
void bbp_restart_cancel (void *context, bool restarts);

#pragma GCC visibility pop

#endif
