/* SPDX-License-Identifier: MIT */
/* Sampled time: who decides when a sample is taken (samplers), and what it holds (the
   collector).

     sampler  --signal-->  collector  -->  unwinder: the stack
                                      -->  calling contexts: counted for ever, lossless; written by
                                           the dump
                                      -->  samples by address, for the histograms of gmon.out
                                      -->  ring of the thread: when; drained by another process, may
                                           overrun

   In signal context nothing waits, allocates but by mmap, or calls libc. */
#ifndef BBPROF_SAMPLING_H
#define BBPROF_SAMPLING_H

#include <linux/io_uring.h>

#include "include/bbprof-samples.h"
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

enum bbp_clock { BBP_CLOCK_CPU, BBP_CLOCK_WALL };

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
  bool (*asked_to_wait) (const siginfo_t *, const void *context);
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
extern const struct bbp_sampler bbp_sampler_itimer, bbp_sampler_thread, bbp_sampler_perf,
    bbp_sampler_ticker;

/* sampler.c: which of them, and whether it runs.  Writer: under the lock; read in any context. */
struct bbp_sampling {
  const struct bbp_sampler *sampler; /* that was chosen; null: not yet */
  /* That it took over from, of which ticks may still be on their way; null: none. */
  const struct bbp_sampler *former;
  enum bbp_clock clock;
  unsigned asked, rate; /* ticks a second: of the user, and as the sampler has promised */
  int signal;           /* that ticks come by */
  bool stacks;          /* and not only program counters */
  bool threads;         /* they are told apart, and entered in sampled.c */
  /* Some of them could not be sampled, so what their ticks would stand for is not the others'. */
  bool partial;
  /* It has begun while the program ran: threads may block the signal that nobody has told of. */
  bool late;
};
extern struct bbp_sampling bbp_sampling;

/* sampled.c: every thread that is sampled, whoever made it.  Memory of its own, which goes to
   another thread after its end.  The handler uses only the calling thread's. */
enum { BBP_DEPTH = 512 }; /* frames of a stack, at most; the innermost ones are kept */
struct bbp_frame {
  uintptr_t address; /* run-time: the pc, a return address; or as KIND says */
  uint32_t kind;     /* enum bbx_frame */
  uint32_t place;    /* places.c; 0: none */
};
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

/* segments.c: lists that only grow, and whose items have numbers, from 1, and never move.  In
   the live file if there is one.  Any context, but as said. */
enum { BBP_SEGMENTS = 14 };
struct bbp_segments {
  uint32_t kind;     /* enum bbl_kind */
  uint32_t first;    /* items of the first segment, a power of 2; each next one has twice as many */
  uint32_t segments; /* at most; 0: BBP_SEGMENTS */
  uint32_t bytes;    /* of an item */
  uint32_t used;     /* the highest number that was given; atomic */
  void *segment[BBP_SEGMENTS]; /* zeros at first; atomic */
};
void *bbp_segments_at (const struct bbp_segments *, uint32_t number); /* null: no such item */
/* Makes it if need be; null: no memory. */
void *bbp_segments_reach (struct bbp_segments *, uint32_t number);
/* A new item's number; 0: no memory. */
uint32_t bbp_segments_add (struct bbp_segments *);
uint32_t bbp_segments_used (const struct bbp_segments *);
uint32_t bbp_segments_room (const struct bbp_segments *, uint32_t i); /* items of segment I */

/* collector.c: what samples are, besides what they hold.  In the live file if there is one. */
struct bbp_collected {
  struct bbx_sampling how; /* what is known of it before the dump */
  /* Writers: the handlers, atomically.  Since the last reset. */
  uint64_t samples, cut; /* as in HOW */
  uint64_t lost_memory;  /* stacks of which the innermost frames found no memory */
  uint64_t lost_busy;    /* ticks that came while another one was collected */
  uint64_t lost_thread;  /* samples without stack, of threads that nobody has told of */
};
extern struct bbp_collected *bbp_collected; /* null: no stacks are collected */
void bbp_collector_start (void);            /* cold, lock held: before the first tick */
void bbp_collector_describe (void); /* cold, lock held: what sampler and rate are is known */
void bbp_collector_reset (void);    /* cold, lock held */

/* collector.c: a sample of the calling thread, interrupted in CONTEXT, which stands for TICKS of
   them.  Signal. */
void bbp_collect (void *context, unsigned ticks);
/* The same for a thread that sleeps, by its stack as it was collected in this same sleep: NODE.
   Called by samplers. */
void bbp_collect_again (struct bbp_sampled *, uint32_t node, unsigned ticks);

/* unwind.c: the active calls of the calling thread, from the interrupted instruction outward,
   into FRAMES, at most MOST; how many.  END: of the stack that CONTEXT is on; 0: not known.
   Only what is certain: by DWARF call frame information, or by frame pointers where they are
   known to be good.  Reads memory of the process only where it is readable.  Signal. */
struct bbp_unwound {
  size_t n;
  /* The outermost frame has been reached; else it is cut: too deep, or not known how to go on. */
  bool whole;
  uintptr_t sp; /* stack pointer of the last one */
};
struct bbp_unwound bbp_unwind (const void *context, uintptr_t end, struct bbp_frame *frames,
                               size_t most);
/* switched.c: whether STACK, of the calling thread in CONTEXT, is none of the thread's own: that
   runs user-level threads.  Signal. */
bool bbp_stack_is_switched (struct bbp_sampled *, const void *context,
                            const struct bbp_unwound *stack);
void bbp_unwind_start (void); /* cold: what has to be known before */
/* cold: an object leaves, what is known of code by addresses is void. */
void bbp_unwind_forget (void);

/* places.c: where objects are, or were, in memory; a number for each stay of an object at a
   place, from 1; 0: not known, code of nobody's.  Asks the loader without locks.  ADDRESS: of an
   instruction, or in it; of a caller not its return address, but the byte before.  Signal. */
struct bbp_place {
  uintptr_t low, high; /* run-time addresses */
  const void *map;     /* the loader's for it, which is never looked into */
  uintptr_t inside;    /* an address of code in it */
  uintptr_t shift;     /* virtual - run-time address, once that is known */
  /* Nanoseconds since the run began: first seen there; unloaded; 0: not, or in a run before. */
  uint64_t first, left;
  uint32_t print; /* checksum of its first bytes */
  uint32_t state; /* enum bbp_place_state; atomic */
};
enum bbp_place_state { BBP_PLACE_NONE, BBP_PLACE_OPEN, BBP_PLACE_LEFT };
extern struct bbp_segments bbp_places;
uint32_t bbp_place_of (uintptr_t address);
void bbp_places_start (void); /* cold */
/* cold, lock held: objects of places that are not in the table. */
void bbp_places_ask (struct bbp_found *);
void bbp_places_forked (void);                    /* the same */
void bbp_place_leave (const struct bbp_object *); /* the same: it is unmapped next, or was */
/* bases.c.  Cold, lock held. */
/* The virtual address; 0: no object that is known. */
uintptr_t bbp_place_virtual (uint32_t place, uintptr_t address);
const struct bbp_object *bbp_place_object (const struct bbp_place *); /* null: not known */

/* contexts.c: the tree of calling contexts: a node is a frame, its parent the frame that has
   called it.  Nodes are added by handlers, without locks, and stay for ever at the same number:
   a parent has a smaller one than its children. */
struct bbp_context {
  uintptr_t address;
  uint32_t mark; /* its kind + 1; 0: it is being made; atomic */
  uint32_t place;
  uint32_t parent; /* 0: none */
  uint32_t unused;
  uint64_t ticks;   /* that ended here; writers: the handlers, atomically */
  uint64_t settled; /* of these: before the last reset, or in the parent process; lock */
};
extern struct bbp_segments bbp_contexts;
uint32_t bbp_context_enter (uint32_t parent, const struct bbp_frame *); /* signal; 0: no memory */
void bbp_context_count (uint32_t node, unsigned ticks);                 /* signal */
/* signal; it has this key. */
bool bbp_context_is (uint32_t node, uint32_t parent, const struct bbp_frame *);

/* tree.c, tree_arcs.c (and tree_write.c): what the tree says at one moment.  Cold, lock held. */
struct bbp_tree_node {
  uintptr_t address; /* as in CTX */
  uint32_t kind, parent;
  uint64_t ticks, below; /* that ended in it; the same, or in its descendants */
  uintptr_t self; /* virtual address of its function, or in it; 0: it is none that is known */
  uintptr_t from; /* and of the call that has led there, as in arcs */
};
int bbp_tree_take (struct bbp_tree *); /* since the last reset; 0 or -errno */
void bbp_tree_free (struct bbp_tree *);
void bbp_tree_reset (void);
/* 0 or -errno; arcs in virtual addresses, united. */
int bbp_tree_arcs (struct bbp_counts *, const struct bbp_tree *);

/* kernel.c: was the thread in the kernel when it was interrupted in CONTEXT, and in which system
   call?  Signal. */
enum { BBP_SYSCALL_NONE = -1, BBP_SYSCALL_UNKNOWN = -2 };
long bbp_kernel_call (const void *context);

/* restart.c: the system call that the tick has interrupted, and which would fail with EINTR for
   that, goes on when the handler returns, with the time that is left.  Only if no handler of the
   program's has run.  Signal. */
void bbp_restart (struct bbp_sampled *, void *context);
/* A handler of the program's comes between, in CONTEXT: then that is what the call has been
   interrupted by.  RESTARTS: it has SA_RESTART.  Signal. */
void bbp_restart_cancel (void *context, bool restarts);

/* ring.c: when samples were taken, for who drains the rings (bbprof-samples.h). */
void bbp_rings_start (void); /* cold, lock held */
void bbp_rings_close (void); /* cold, lock held: before the last dump */
void bbp_rings_end (void);   /* cold, lock held: after it */
/* cold, lock held: it was not the last one: exec has failed. */
void bbp_rings_resume (void);
/* cold, lock held: in the child, before it enters threads. */
void bbp_rings_forked (void);
/* cold, lock held: a thread gets one, if there is one. */
void bbp_ring_begin (struct bbp_sampled *);
void bbp_ring_end (struct bbp_sampled *); /* the same */
/* any, but inside of the lock: in a forked child they may be due. */
void bbp_rings_tick (void);
/* Signal: the thread's own, or who has its BUSY.  SLEEPS: the thread, which is not the calling
   one then, was on no processor. */
void bbp_ring_put (struct bbp_sampled *, uint32_t node, unsigned ticks, bool sleeps);

#pragma GCC visibility pop

#endif
