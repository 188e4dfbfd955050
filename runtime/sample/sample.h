/* SPDX-License-Identifier: MIT */
/* Sampled time.  A sampler decides when a sample is taken, the collector what it holds.

     sampler  --signal-->  collector  -->  unwinder: the stack
                                      -->  calling contexts: counted without loss; written by the
                                           dump
                                      -->  samples by address, for the histograms of gmon.out
                                      -->  ring of the thread: when; drained by another
                                           process, may overrun

   In signal context nothing waits, allocates except by mmap, or calls libc. */
#ifndef BBP_SAMPLE_H
#define BBP_SAMPLE_H

#include <linux/io_uring.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof-samples.h"
#include "runtime/base/state.h"
#include "runtime/dump/dump.h"
#include "runtime/languages/languages.h"
#include "runtime/sample/context_nodes.h"
#include "runtime/unwind/unwind.h"

#pragma GCC visibility push(hidden)

/* sample_table.c */
bool bbp_samples_make (void);   /* cold, once or more; false: no memory */
void bbp_samples_enable (bool); /* cold: starts and stops the timer too */
/* cold, lock held: false: bbp_samples_enable starts nothing. */
void bbp_samples_want (bool);
void bbp_samples_pause (bool); /* cold, lock held: while the lock is held for long */
/* signal; false: not the program's time, or must not be counted. */
bool bbp_samples_count (uintptr_t pc, unsigned ticks);
/* The same, for another thread, which sleeps there. */
bool bbp_samples_count_asleep (uintptr_t pc, unsigned ticks);
void bbp_samples_leave_out (unsigned ticks); /* signal: for a thread that is not sampled */
/* cold: nanoseconds while enabled, since the last reset. */
void bbp_samples_clocks (uint64_t *wall, uint64_t *cpu);
/* cold: since the last reset, including those left out and lost. */
uint64_t bbp_samples_taken (void);
/* cold, lock held: sampling may have started or stopped. */
void bbp_samples_set_clocks (void);
uint64_t bbp_samples_left_out (void); /* any: of stopped threads, since the last reset */
/* any: ticks due by the CPU clock and the rate, since the last reset; 0: unknown. */
uint64_t bbp_samples_due (void);
uint64_t bbp_samples_missed (void); /* cold: ticks of threads that the sampler could not reach */
void bbp_samples_reset (void);      /* cold */

/* sampler.c: the one handler of ticks */
/* Hz: what the sampler promised, or the kernel tick. */
int bbp_sampler_rate (void);
/* cold, lock held: one more user of the timer, or one less. */
void bbp_sampler_run (bool);
bool bbp_sampler_pause (bool);     /* cold, lock held */
bool bbp_sampler_is_paused (void); /* cold, lock held */
void bbp_sampler_forked (void);    /* cold */
void bbp_sampler_forbid (bool);    /* cold */
void bbp_sampler_drop_tick (void); /* cold */
bool bbp_sampler_stands_in (void); /* any */
/* any: the program handles SIGPROF itself, or no longer. */
void bbp_sampler_take_signal (bool taken);
/* any: the program sets setitimer's timer, or stops it; returns whether it had one before. */
bool bbp_sampler_take_timer (bool taken);
void bbp_sampler_confine (void); /* cold: POSIX timers will be refused */
bool bbp_sampler_runs (void);    /* any: ticks come */
/* any: the profiling timer is set, by the library. */
bool bbp_sampler_has_timer (void);
bool bbp_sampler_takes_sigprof (void);       /* cold: the sampler uses that signal */
bool bbp_sampler_shares_signal (int number); /* any: the library's handler calls the program's */
void bbp_on_tick (int, siginfo_t *, void *); /* signal */

struct bbp_context;
struct bbp_sampled;

/* When and where a sample was taken. */
struct bbp_moment {
  uint64_t time;  /* nanoseconds since the run began; 0: not known */
  uint32_t flags; /* as in struct bbs_sample */
  uint16_t cpu;
};

/* A sampler: one file each.  Context: cold, lock held, unless a line says otherwise. */
struct bbp_sampler {
  const char *name;
  bool per_thread; /* must be told of threads */
  bool clocks[2];  /* by enum bbp_clock: which it supports */
  /* Null: it works here with CLOCK and RATE; else the reason, in a few words. */
  const char *(*refuses) (enum bbp_clock clock, unsigned rate);
  /* Starts ticks at RATE a second of CLOCK; returns the expected rate; 0: not possible. */
  unsigned (*start) (enum bbp_clock clock, unsigned rate);
  void (*stop) (void);
  /* A thread begins (called by itself, or by the scan that found it) or ends.  Cold; null if
     !per_thread. */
  void (*thread_begin) (struct bbp_sampled *);
  void (*thread_end) (struct bbp_sampled *);
  /* While the lock is held for long.  Null: nothing to do. */
  void (*pause) (bool);
  /* In the child, which inherits no timer; called before start, if sampling continues. */
  void (*forked) (void);
  /* The number of ticks that the signal stands for, perhaps 0; BBP_NO_TICK: the signal is not
     this sampler's.  Signal, in the sampled thread. */
  unsigned (*ticks) (const siginfo_t *);
  /* The ticks have been collected, or left out.  Null: nothing to do.  Signal, the same. */
  void (*collected) (void);
  /* True if the ticks cost more CPU time than allowed, so that the ticker must take over.  Null:
     never.  Signal. */
  bool (*is_too_costly) (void);
  /* The program gives up the system calls of POSIX timers: no more are made.  Null: it makes
     none.  Cold, lock held, while it is stopped. */
  void (*confine) (void);
  /* Tid of the sampler's own thread, which is not sampled; 0: there is none.  Null: it never has
     one.  Any. */
  int (*own_thread) (void);
};
/* Indices of bbp_samplers. */
enum bbp_sampler_index { BBP_ITIMER, BBP_THREAD, BBP_TICKER, BBP_PERF, BBP_SAMPLERS };
extern const struct bbp_sampler *const bbp_samplers[BBP_SAMPLERS];

/* Requests and reports of sampling to higher rooms.  Signal, unless a line says
   otherwise. */
struct bbp_sample_above {
  bool (*counts) (void); /* whether the calling thread counts now */
  /* The signal of ticks was sent for a pause: then the thread has paused. */
  bool (*pause_requested) (const siginfo_t *, void *context);
  void (*tick_begins) (void);
  /* The program has requested a histogram of its own (profil.c). */
  void (*profil) (uintptr_t pc, unsigned ticks);
  void (*tick_ends) (const void *context);
  uint64_t (*checkpoint_due) (void); /* any: when the profile is to be written next */
  /* A sample, for raw=FILE and bbprof_samples; SLEEPS: of a sleeping thread. */
  void (*observe) (const void *context, unsigned ticks);
  void (*observe_asleep) (const struct bbp_sampled *, const struct bbp_context *code,
                          unsigned ticks);
  /* Records when the sample was taken (ring.c): now; or as NOW said then. */
  void (*put) (struct bbp_sampled *, uint32_t node, unsigned ticks, struct bbp_moment);
  struct bbp_moment (*now) (const struct bbp_sampled *, bool sleeps);
  void (*thread_begins) (struct bbp_sampled *); /* cold, lock held */
  void (*thread_ends) (struct bbp_sampled *);   /* cold, lock held */
};
extern const struct bbp_sample_above bbp_sample_above;
#define BBP_NO_TICK (~0U)
unsigned bbp_sampler_kernel_rate (void); /* the kernel tick, Hz; any */
/* Nanoseconds until the first tick, at random, so that threads that live for less than the
   interval between ticks get their share of samples.  Timers of CPU time expire only at kernel
   ticks.  Cold, lock held. */
uint64_t bbp_sampler_first (enum bbp_clock clock, unsigned rate);

/* sampled_threads.c: the list of sampled threads, however they were created.  After the end of a
   thread its entry is used for another thread.  The handler uses only the calling thread's. */
enum { BBP_NODES = BBP_DEPTH + 4 }; /* with a thread, unknown frames and a system call */
struct bbp_sampled {
  struct bbp_sampled *next;       /* all ever made; lock */
  struct bbp_sampled *in_chain;   /* next in the hash chain of tids; writer: lock */
  struct bbp_sampled *next_ended; /* lock */
  int chained;                    /* the tid under which it is in that chain; lock */
  uint32_t number;                /* number of the thread, from 1, never used again */
  int tid;                        /* 0: none; writer: under the lock */
  /* Tid of the last owner, which may still exist for a moment; 0: none; lock. */
  int leaving;
  bool ended;
  uint64_t seen;            /* number of the last scan that found it; lock */
  uint64_t begun, ended_at; /* nanoseconds since the run began */
  uint64_t cpu;             /* nanoseconds of CPU time when it ended */
  char name[16];
  /* Its stack, if known: the range of the stack pointer, and the end of the readable memory
     above; 0: unknown.  Writer: the thread. */
  uintptr_t stack_low, stack_high;
  /* If that is unknown: stack pointer of its outermost call, as seen first; 0: not yet; writer:
     its handler. */
  uintptr_t home;
  uint32_t context;      /* node of its root; writer: the thread */
  struct bbs_ring *ring; /* its ring, or null; ring.c */
  /* Of the sampler "thread": the kernel's timer_t, plus 1; 0: none. */
  int timer;
  void *page; /* of "perf": mapping of the event; null: none */
  int beside; /* of "perf": timer_t, plus 1; 0: none */
  struct bbp_ticked *ticked;
  bool deaf; /* it blocks the signal of ticks, and gets no ticks; lock */
  /* CPU time when its handler began, and when the previous one ended; writer: the handler. */
  uint64_t entered, left;
  /* CPU time that its ticks stand for, in nanoseconds; writer: its handler. */
  uint64_t accounted;
  /* Of the ticks being collected: those that passed in the kernel, where the sampler cannot
     sample. */
  unsigned unseen;
  /* Node of its last sample, 0: none; writer: its handler. */
  uint32_t last;
  uint32_t flags; /* flags register saved there; writer: its handler */
  /* restart.c: the waiting call that continues after a tick; writer: its handlers. */
  uintptr_t restart_pc, restart_sp; /* address and stack pointer of the repeated call; 0: none */
  long restart_number;
  bool restart_by_kernel;                       /* the kernel makes it again */
  uint64_t restart_until;                       /* end of the wait: CLOCK_MONOTONIC */
  struct timespec restart_left;                 /* rest of the wait */
  struct io_uring_getevents_arg restart_events; /* argument of io_uring_enter with that time */
  /* Its handler runs, or another thread counts for it while it sleeps; a tick that comes then is
     lost; atomic. */
  unsigned busy; /* 1: yes */
  /* late_frames.c: what frames of languages need; null: no language is registered; writer: its
     handler. */
  struct bbp_late *late;
  struct bbp_frame frames[BBP_DEPTH + 2]; /* the innermost first */
  uint32_t nodes[BBP_NODES];              /* nodes of its last stack, the outermost first */
  uint32_t nnodes;
};
/* Claims the thread's memory until it is released; false: it is in use.  Any. */
static inline bool
bbp_sampled_claim (struct bbp_sampled *thread)
{
  return !__atomic_exchange_n (&thread->busy, 1, __ATOMIC_ACQUIRE);
}
static inline void
bbp_sampled_release (struct bbp_sampled *thread)
{
  __atomic_store_n (&thread->busy, 0, __ATOMIC_RELEASE);
}
extern __thread struct bbp_sampled *bbp_sampled __attribute__ ((tls_model ("initial-exec")));
/* cold, takes the lock: enters the thread, and tells the sampler; null: no memory. */
struct bbp_sampled *bbp_sampled_begin (int tid);
void bbp_sampled_end (struct bbp_sampled *); /* cold, takes the lock: removes it */
/* cold, takes the lock: enters new threads, and removes threads that ended unnoticed. */
void bbp_sampled_scan (void);
extern struct bbp_sampled *bbp_sampled_all; /* the newest first; lock */
/* The calling thread's; null: not entered; signal. */
struct bbp_sampled *bbp_sampled_self (void);
/* cold, takes the lock: the calling thread, if threads are sampled. */
void bbp_sampled_begin_self (void);
/* Cold: size of the calling thread's stack, as given to pthread_create. */
void bbp_sampled_know_stack (size_t bytes);
void bbp_sampled_end_self (void); /* cold, takes the lock: removes it for good */
/* Number of ticks of RATE a second that the calling thread's CPU clock has advanced since the
   previous call: rounded to the nearest, or down; signal. */
unsigned bbp_sampled_due (struct bbp_sampled *, unsigned rate, bool nearest);
/* signal: starts a scan for new threads if one is due. */
void bbp_sampled_tick (void);
void bbp_sampled_try_scan (void);    /* signal: does that scan */
uint32_t bbp_sampled_threads (void); /* number of threads so far; any */
/* Cold, lock held. */
void bbp_sampled_start (void); /* the sampler runs; all threads get their ticks */
void bbp_sampled_stop (void);  /* stopped */
void bbp_sampled_forked (void);
void bbp_sampled_scan_locked (void);
void bbp_sampled_update (void); /* updates the facts of all present threads */
/* Facts of the thread NUMBER, from 1, ended or not; false: there was none so far. */
/* As last updated: at its end, by a scan, or by bbp_sampled_update. */
bool bbp_sampled_facts (uint32_t number, struct bbx_thread *);
void bbp_collector_start (void);    /* cold, lock held: before the first tick */
void bbp_collector_describe (void); /* cold, lock held: sampler and rate are known */
void bbp_collector_reset (void);    /* cold, lock held */

/* collector.c: records a sample of the calling thread, interrupted in CONTEXT, that stands for
   TICKS.  Signal. */
void bbp_collect (void *context, unsigned ticks);
/* The same for a sleeping thread, by its stack as collected in this same sleep: NODE.  Called by
   samplers. */
void bbp_collect_again (struct bbp_sampled *, uint32_t node, unsigned ticks);
/* late_frames.c: samples that wait for the frames of a language. */
/* Memory for a sample's frames of languages; null: there is no language, or no memory.  Signal. */
struct bbp_language_frames *bbp_late_room (struct bbp_sampled *);
/* Counts TICKS at NODE; or later, if LATE is a node, beneath which frames of a language will be
   put.  THREAD is claimed.  Signal. */
void bbp_late_count (struct bbp_sampled *, uint32_t node, uint32_t late, unsigned ticks,
                     bool sleeps);
/* The LATE of the thread's sample at NODE that still waits; 0: there is none.  Likewise. */
uint32_t bbp_late_of (const struct bbp_sampled *, uint32_t node);
/* Counts samples that wait without those frames: of a thread that ends; of all threads.  Cold, lock
   held. */
void bbp_late_settle (struct bbp_sampled *);
void bbp_late_settle_all (void);
void bbp_late_forget (struct bbp_sampled *); /* cold, lock held: none waits in a new thread */
/* user_threads.c: whether STACK, of the calling thread in CONTEXT, is not the thread's own: it
   runs user-level threads.  Signal. */
bool bbp_stack_is_of_user_thread (struct bbp_sampled *, const void *context,
                                  const struct bbp_unwound *stack);

/* restart.c: the system call that the tick interrupted, and that would therefore fail with
   EINTR, continues when the handler returns, with the time that is left.  Only if no handler of
   the program has run.  Signal. */
void bbp_restart (struct bbp_sampled *, void *context);
/* A handler of the program runs next, in CONTEXT, and so interrupts the call itself.  RESTARTS:
   it has SA_RESTART.  Signal. */
void bbp_restart_cancel (void *context, bool restarts);

#pragma GCC visibility pop

#endif
