/* SPDX-License-Identifier: MIT */
/* The state of the library: all data that more than one room looks at, each with its writer.
   Nothing here is seen outside the library.

   Context, said on every function: hot (called by compiled code, from anywhere, also from signal
   handlers and before start-up), signal (runs in our own signal handler), cold (start, dump;
   signals blocked where it matters).  Nothing in hot or signal context waits, allocates but by
   mmap, prints, or calls libc, with one exception: attaching a thread, at its first hook, takes
   the lock and asks libc to be told of the thread's end. */
#ifndef BBP_STATE_H
#define BBP_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof-abi.h"
#include "include/bbprof-file.h"

struct bbl_module;
struct bbp_level;
struct bbp_sampler;
struct bbq_piece;
struct sigaction;

#define BBP_HIDDEN __attribute__ ((visibility ("hidden")))
#define BBP_PUBLIC __attribute__ ((visibility ("default")))
/* A program may define this name itself (tests and small kernels do): then its definition wins
   in a static link. */
#define BBP_PUBLIC_WEAK __attribute__ ((visibility ("default"), weak))

/* libc's own, under the name that programs do not define; theirs would be profiled code that
   runs under our lock. */
extern int __sigaction (int, const struct sigaction *, struct sigaction *);

#pragma GCC visibility push(hidden)

/* One arc: calls from the call whose return address is FROM into the function that holds SELF.
   Writer: the thread that owns the table; a claimed slot has FROM set first, and is valid once
   SELF is not 0. */
struct bbp_arc {
  uintptr_t from;
  uintptr_t self;
  uint64_t count;
  uint64_t unused; /* slots of 32 bytes do not straddle cache lines, and shift into place */
};

/* Open addressing, linear probing, never rehashed: when a table is half full, a larger one is
   put in front of it and takes all further calls; the dump adds up what it finds in the whole
   chain.  The assembler knows this layout. */
struct bbp_arc_table {
  uint64_t mask;  /* (slots - 1) * sizeof (struct bbp_arc) */
  uint64_t used;  /* slots claimed; writer: the owner */
  uint64_t limit; /* of used, before the next table is made */
  struct bbp_arc_table *older;
  uint64_t unused[4];
  struct bbp_arc slots[];
};
/* Set in FROM by __bb_indirect_func: SELF is whatever was called. */
#define BBP_ARC_INDIRECT ((uintptr_t) 1 << 63)
/* Other values of FROM: SELF is no function, but where a handler of the program's has
   interrupted the thread, or let it go on; handler_wrapper.c. */
#define BBP_ARC_INTERRUPTED ((uintptr_t) 1 << 62)
#define BBP_ARC_RESUMED (BBP_ARC_INTERRUPTED + 1)
/* Set in FROM by jump_counts.c, with the variant behind it (BBX_JUMPS_...): no call, but a jump
   from block to block; FROM is 0, or SELF BBP_OUTSIDE_JUMP, for what is outside. */
#define BBP_ARC_JUMP ((uintptr_t) 1 << 61)
#define BBP_ARC_VARIANT 59
#define BBP_ARC_VARIANTS ((uintptr_t) 3 << BBP_ARC_VARIANT)
#define BBP_OUTSIDE_JUMP 1
/* All that is no address. */
#define BBP_ARC_MARKS (BBP_ARC_INDIRECT | BBP_ARC_JUMP | BBP_ARC_VARIANTS)
/* Slots behind the last one, always free, because the hooks look at a few without minding the
   end. */
#define BBP_ARC_SPARE 3

/* A thread's own counters for one module: the head of a mapping, the counters behind it. */
struct bbp_copy {
  struct bbp_copy *next; /* of the same thread */
  struct bbp_module *module;
  long counts[];
};

/* Where a thread counts in a module inside and outside of windows: displacements. */
struct bbp_turn {
  long word_offset; /* as of the module, like BY_BASE */
  bool by_base;
  uintptr_t inside, outside;
};
#define BBP_TURNS 16
struct bbp_turns {
  unsigned changes; /* as of which change of the modules they are right; copies.c */
  unsigned n;
  struct bbp_turn turn[BBP_TURNS];
};

/* What one thread owns.  When the thread is gone the block goes to the next new thread as it is,
   counts and all: the dump sums over all blocks, so nothing has to be folded in, and 100,000
   threads need hardly more blocks than ever ran at once. */
struct bbp_thread {
  struct bbp_arc_table *newest; /* head of the chain; writer: the owner, signals blocked */
  /* Null for the block that counts in the modules' own arrays; lock. */
  struct bbp_copy *copies;
  /* Where blocks count that are not to be counted: nobody reads them; lock. */
  struct bbp_copy *scraps;
  struct bbp_level *levels;        /* memory for them; writer: the owner */
  struct bbp_turns turns;          /* writer: the owner, under the lock */
  struct bbp_thread *next;         /* all blocks ever made; lock */
  struct bbp_thread *next_leaving; /* lock */
  /* How far its counters by GS are from the module's own; writer: the owner. */
  uintptr_t gs_base;
  /* What gs_base has been while it counted, and while it counted into scraps; 0: nothing yet;
     writer: lock. */
  uintptr_t gs_bases[2];
  /* Of the live thread, for its counter words; 0: nobody, or one that may be gone; lock. */
  uintptr_t thread_pointer;
  struct bbq_piece *piece; /* that it is filling, or null; writer: the owner */
  uintptr_t *frames;       /* memory for frames.c, or null; writer: the owner, or lock */
  uint64_t lost_arcs;      /* calls that no memory could be had for; writer: the owner */
  /* Where a handler of ours has interrupted it, as long as that runs, else 0; writer: the owner. */
  uintptr_t interrupted;
  /* Where it is while it sleeps in a trace point, else 0; writer: the owner; pause_threads.c. */
  uintptr_t sleep_pc;
  unsigned number;   /* from 1 */
  int pause_asked;   /* number of the last pause that it was asked to join; lock */
  int pause_arrived; /* and the last that it joined; writer: the owner; pause_threads.c */
  int tid;           /* of who has it, or had it last; 0: nobody; lock */
  bool in_place;     /* counts in the modules' own arrays (the main thread's block) */
  bool stopped;      /* bbprof_thread (0); writer: the owner, under the lock */
  /* Outside of what the user has selected (window.c); writer: the owner. */
  bool closed;
  bool leaving; /* free for the next thread when that one is gone; lock */
};

/* A linked module with instrumented units: the executable or a shared object. */
struct bbp_module {
  struct bbp_module *next; /* newest first; lock */
  struct bb *units;        /* the newest; see bbp_module_next_unit */
  bool named;              /* some of them have trace points; lock */
  bool by_base;            /* some of them find a thread's counters by GS */
  long word_offset;        /* and some by a thread-local word, here; 0: none; lock, like by_base */
  long *counts_start, *counts_stop;
  const char *map_start, *map_stop;
  /* Counts that count no more, or null: before the last reset, or between a stop and a start. */
  long *baseline;
  long *at_stop;           /* counts at the stop that has not ended yet, or null */
  long *now;               /* counts as they have been taken for a profile, or null */
  unsigned number;         /* from 1; never used again */
  struct bbl_module *live; /* its description in the live file, or null */
  /* In recovery: how far counters and map lie from where they were in the process; else 0. */
  uintptr_t moved;
};

/* Samples by program counter, found by open addressing; see sample_table.c. */
struct bbp_sample {
  uintptr_t pc;   /* 0: free; claimed by the handlers, atomically */
  uint64_t count; /* writers: the handlers, atomically */
};
struct bbp_sample_table {
  size_t mask;  /* slots - 1 */
  size_t used;  /* slots claimed; writers: the handlers, atomically */
  size_t limit; /* of used, before the next table is made; the same */
  struct bbp_sample_table *older;
  struct bbp_sample slots[];
};

/* What the dump puts together, in lists of their own: arcs, and samples, which are arcs from 0. */
enum bbp_kind { BBP_ARCS, BBP_SAMPLES, BBP_KINDS };

struct bbp_count {
  uintptr_t from, self;
  uint64_t count;
};
/* Ascending by from, self; unique, unless said otherwise. */
struct bbp_counts {
  struct bbp_count *item;
  size_t n, room;
};

/* What follows from the counters of the modules, in lists of virtual addresses, in any order. */
enum bbp_flow_kind {
  BBP_BLOCKS,  /* executions of blocks: from 0 */
  BBP_EDGES,   /* from block to block; 0: outside of the function */
  BBP_CALLS,   /* arcs of direct calls */
  BBP_ENTRIES, /* of functions whose calls are arcs: from 0 */
  BBP_JUMPS,   /* edges of functions with trace points that those do not count */
  BBP_FLOWS
};
struct bbp_flow {
  struct bbp_counts list[BBP_FLOWS];
  uint64_t lost; /* by how much counts came out below 0 */
};

/* An ELF object that is or was in memory; of all identities (build id, or file) one for each
   place it has at a time. */
struct bbp_object {
  /* In the order in which they were found, the executable first; lock, like all of it. */
  struct bbp_object *next;
  /* Virtual address - link-time address: a multiple of BBX_BASE_UNIT; 0: executable. */
  uintptr_t base;
  /* run-time address - link-time address, where it was loaded last. */
  uintptr_t bias;
  uintptr_t start, end;           /* link-time addresses of all its segments */
  uintptr_t text_start, text_end; /* of the executable ones */
  enum bbp_presence { BBP_GONE, BBP_LEAVING, BBP_PRESENT } presence;
  bool listed;       /* by the loader, when the table was refreshed last */
  bool unlisted;     /* found by an address in it, and never in the list */
  uint64_t removals; /* how many objects the loader had removed when this one left */
  uint32_t loads;
  size_t build_id_bytes;
  const unsigned char *build_id;
  const char *path; /* absolute, or in brackets; empty: not known */
  uint64_t file[4]; /* device, inode, size, time, if there is no build id */
  bool had_blocks;  /* a module in it has been retired */
};

/* The one state of the library.  Writer: start.c, under the lock, unless a field says
   otherwise. */
struct bbp_runtime {
  uintptr_t low, high;         /* what is profiled, run-time addresses; low < high once started */
  uintptr_t own_low, own_high; /* the library's own code, the same */
  bool started;                /* low and high are there */
  bool stopped_before;         /* _mcleanup was called: the next start is from zero */
  bool stopped;                /* nothing counts: bbprof_stop, moncontrol (0), _mcleanup */
  bool exiting;                /* exit () has begun: _mcleanup is not the program's own call */
  bool finished;               /* the last dump has been made: there is none after it */
  /* What the dump that is going on writes is only good until the next one; lock. */
  bool provisional;
  bool in_handler; /* the dump interrupts the program in whatever it does */
  /* Some units count in their module's own array, and no thread has to be attached for that;
     module.c. */
  bool in_place;
  bool inexact; /* some thread had to share counters, for want of memory */
  /* Executions that were counted because a signal came (gs_base.c); writers: all threads,
     atomically. */
  uint64_t by_signals;
  bool no_base;          /* and in the executable all threads do, because GS cannot be used */
  bool loader_in_doubt;  /* the loader's lock may never be given back; see elf_objects.c */
  bool forked;           /* this process was forked off a profiled one: files get its pid */
  int pid;               /* whose counts these are */
  uint64_t run;          /* number of the run; not 0 */
  uint64_t written;      /* sum of all that the last dump wrote */
  unsigned dumps;        /* number of the last one */
  uint64_t described;    /* when a profile said last what the run is; nanoseconds since 1970 */
  uint64_t since;        /* when the counts were zero; seconds since 1970 */
  bool saved;            /* that was written indeed */
  uint64_t lost_arcs;    /* of calls that never got a block; writers: all threads, atomically */
  uint64_t lost_samples; /* that no memory could be had for; writers: the handlers, atomically */
  /* Samples of which it is not known when; writers: the handlers, atomically; rings.c. */
  uint64_t lost_times;
  uint64_t own_samples;                 /* that fell into this library; the same */
  uint64_t lost_unloaded, lost_nowhere; /* calls and samples given up; see elf_objects.c */
  uint64_t lost_dumps;                  /* that could not be written */
  uint64_t lost_running; /* times that counts were read of threads that would not wait */
  /* Blocks of threads that may not count them (plain_bb.c); writers: all threads, atomically. */
  uint64_t refused;
  uint64_t lost_flow; /* by how much counts of objects that have left came out below 0 */
  /* Recovery only: threads, of which some were in the middle of a function. */
  uint64_t killed;
  /* Recovery only: calls, by virtual addresses, that hooks had counted and killed threads had
     not made; or null. */
  struct bbp_counts *unmade;
  /* Recovery only: where killed threads were, from a function's run-time address to a node of
     its graph; or null. */
  struct bbp_counts *stands;
  uint64_t lost_slices; /* recovery only: parts of the live file that had no room */
  /* Programs that the process has run before, whose profile this one's replaces. */
  unsigned replaced;
  bool leaving_by_exec; /* it may go on with a program that writes none */
  struct bbp_thread *threads, *leaving, *last_leaving; /* thread.c */
  struct bbp_module *modules;                          /* module.c */
  /* All code that has a map lies in between; grows; module.c. */
  uintptr_t mapped_low, mapped_high;
  struct bbp_sample_table *samples;           /* the newest; writers: the handlers, atomically */
  struct bbp_counts *settled[BBP_KINDS];      /* by run-time addresses, or null; retire.c */
  struct bbp_counts *retired[BBP_KINDS];      /* by virtual addresses, or null; retire.c */
  struct bbp_counts *retired_flow[BBP_FLOWS]; /* the same; flow_lists.c */
  /* In the baselines; at the stop; or null; totals.c. */
  struct bbp_counts *in_flight_before, *in_flight_at_stop;
};
extern struct bbp_runtime bbp;

/* Whether ADDRESS is code of the profiler's, whose time is not the program's.  What stands in
   the place of libc's syscall only passes on what the program does.  Context: any. */
extern const char bbp_syscall_code[], bbp_syscall_code_end[];
static inline bool
bbp_is_own (uintptr_t address)
{
  return address - bbp.own_low < bbp.own_high - bbp.own_low
         && address - (uintptr_t) bbp_syscall_code
                >= (uintptr_t) bbp_syscall_code_end - (uintptr_t) bbp_syscall_code;
}

/* Whether THREAD counts into scraps.  Context: hot. */
static inline bool
bbp_thread_is_apart (const struct bbp_thread *thread)
{
  return __atomic_load_n (&thread->stopped, __ATOMIC_SEQ_CST)
         || __atomic_load_n (&thread->closed, __ATOMIC_SEQ_CST);
}

/* Whether what THREAD does is not to be counted.  Context: hot. */
static inline bool
bbp_thread_is_stopped (const struct bbp_thread *thread)
{
  return __atomic_load_n (&bbp.stopped, __ATOMIC_SEQ_CST) || bbp_thread_is_apart (thread);
}
/* The calling thread's block; what compiled code tests.  Set while attached. */
extern BBP_PUBLIC __thread struct bbp_thread *__bb_thread
    __attribute__ ((tls_model ("initial-exec")));

/* Where the calling thread counts its calls, all that the hooks look at: the newest of its
   tables, or one that stays empty while it is stopped; null before it is attached. */
extern __thread struct bbp_arc_table *bbp_arcs __attribute__ ((tls_model ("initial-exec")));

/* The calling thread's part of what trace points look at. */
extern BBP_PUBLIC __thread struct bbp_here __bb __attribute__ ((tls_model ("initial-exec")));

/* Where the point's stub goes on that the thread is in while C runs for it; else 0, or what it
   was before a handler.  Writer: the assembler. */
extern __thread uintptr_t bbp_point_caller __attribute__ ((tls_model ("initial-exec")));

/* Of its mode, besides what compiled code knows: a handler of the program's runs, and each point
   has to look whether it still does. */
#define BBP_MODE_HANDLER 8U
/* The user has chosen functions, and each entry has to look whether it is one of them. */
#define BBP_MODE_CHOICES 32U

/* Where THREAD waits, as far as known; 0: nowhere. */
static inline uintptr_t
bbp_pause_pc (const struct bbp_thread *thread)
{
  uintptr_t pc = __atomic_load_n (&thread->interrupted, __ATOMIC_ACQUIRE);
  return pc ? pc : __atomic_load_n (&thread->sleep_pc, __ATOMIC_ACQUIRE);
}

enum bbp_clock { BBP_CLOCK_CPU, BBP_CLOCK_WALL };

/* sampler.c: which of them, and whether it runs.  Writer: under the lock; read in any context. */
struct bbp_sampling {
  const struct bbp_sampler *sampler; /* that was chosen; null: not yet */
  /* That it took over from, of which ticks may still be on their way; null: none. */
  const struct bbp_sampler *former;
  enum bbp_clock clock;
  unsigned asked, rate; /* ticks a second: of the user, and as the sampler has promised */
  int signal;           /* that ticks come by */
  bool stacks;          /* and not only program counters */
  bool threads;         /* they are told apart, and entered in sampled_threads.c */
  /* Some of them could not be sampled, so what their ticks would stand for is not the others'. */
  bool partial;
  /* It has begun while the program ran: threads may block the signal that nobody has told of. */
  bool late;
};
extern struct bbp_sampling bbp_sampling;

#pragma GCC visibility pop

#endif
