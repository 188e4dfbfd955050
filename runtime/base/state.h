/* SPDX-License-Identifier: MIT */
/* The state of the library: all data that more than one room uses, each with its writer.  Not
   visible outside the library.

   Context, stated on every function: hot (called by compiled code, from anywhere, also from signal
   handlers and before start-up), signal (runs in a handler of the library's), cold (start, dump;
   signals blocked where it matters).  Code in hot or signal context never waits, prints, calls
   libc, or allocates except by mmap.  One exception: attaching a thread, at its first hook, takes
   the lock and calls libc to be notified of the thread's end. */
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
/* A program may define this name itself, as tests and small kernels do; then its definition wins in
   a static link. */
#define BBP_PUBLIC_WEAK __attribute__ ((visibility ("default"), weak))

/* libc's own function, by the name that programs do not define.  A program's definition would be
   profiled code that runs under the lock. */
extern int __sigaction (int, const struct sigaction *, struct sigaction *);

#pragma GCC visibility push(hidden)

/* One arc: calls from the call with the return address FROM to the function that contains SELF.
   Writer: the thread that owns the table.  FROM is set first, to claim the slot; the slot is valid
   once SELF is not 0. */
struct bbp_arc {
  uintptr_t from;
  uintptr_t self;
  uint64_t count;
  /* The thread's word of the call site (__bb_site_func), if it has ever led here; else 0. */
  uintptr_t site;
};

/* Open addressing with linear probing, never rehashed.  When a table is half full, a larger one is
   prepended and takes all further calls; the dump adds up the counts of the whole chain.  The
   assembler code depends on this layout. */
struct bbp_arc_table {
  uint64_t mask;  /* (slots - 1) * sizeof (struct bbp_arc) */
  uint64_t used;  /* slots claimed; writer: the owner */
  uint64_t limit; /* of USED; then the next table is made */
  struct bbp_arc_table *older;
  /* The thread's displacement for the executable, plus 1; 0: words of call sites cannot be the
     thread's own.  Writer: the owner. */
  uintptr_t sites;
  uint64_t unused[3];
  struct bbp_arc slots[];
};
/* Flag in FROM, set by __bb_indirect_func: SELF is the address that was called. */
#define BBP_ARC_INDIRECT ((uintptr_t) 1 << 63)
/* Other values of FROM: SELF is not a function, but where a handler of the program's interrupted
   the thread, or where the thread continued; handler_wrapper.c. */
#define BBP_ARC_INTERRUPTED ((uintptr_t) 1 << 62)
#define BBP_ARC_RESUMED (BBP_ARC_INTERRUPTED + 1)
/* Flag in FROM, set by jump_counts.c, followed by the variant (BBX_JUMPS_...): a jump between
   blocks, not a call.  FROM is 0, or SELF is BBP_OUTSIDE_JUMP, for code outside. */
#define BBP_ARC_JUMP ((uintptr_t) 1 << 61)
#define BBP_ARC_VARIANT 59
#define BBP_ARC_VARIANTS ((uintptr_t) 3 << BBP_ARC_VARIANT)
#define BBP_OUTSIDE_JUMP 1
/* All bits that are not part of the address. */
#define BBP_ARC_MARKS (BBP_ARC_INDIRECT | BBP_ARC_JUMP | BBP_ARC_VARIANTS)
/* Slots behind the last one, always free, because the hooks probe a few slots without checking for
   the end. */
#define BBP_ARC_SPARE 7

/* A thread's own counters for one module: a header, then the counters. */
struct bbp_copy {
  struct bbp_copy *next; /* next one of the same thread */
  struct bbp_module *module;
  int64_t counts[];
};

/* Displacements at which a thread counts in a module inside and outside of windows. */
struct bbp_turn {
  int64_t word_offset; /* as in struct bbp_module, like BY_BASE */
  bool by_base;
  uintptr_t inside, outside;
};
#define BBP_TURNS 16
struct bbp_turns {
  unsigned changes; /* the change of the modules that they are valid for; copies.c */
  unsigned n;
  struct bbp_turn turn[BBP_TURNS];
};

/* A thread's block.  When the thread has ended, the next new thread takes the block over with its
   counts: the dump sums over all blocks, so nothing is merged, and 100,000 threads need hardly more
   blocks than ever ran at once. */
struct bbp_thread {
  struct bbp_arc_table *newest; /* head of the chain; writer: the owner, signals blocked */
  /* Null for the block that counts in the modules' own arrays (in_place); lock. */
  struct bbp_copy *copies;
  /* Counters for executions that are to be ignored; never read; lock. */
  struct bbp_copy *scraps;
  struct bbp_level *levels;        /* memory for levels.c; writer: the owner */
  struct bbp_turns turns;          /* writer: the owner, under the lock */
  struct bbp_thread *next;         /* all blocks ever made; lock */
  struct bbp_thread *next_leaving; /* lock */
  /* The displacement that the thread has in GS; writer: the owner. */
  uintptr_t gs_base;
  /* GS_BASE while the thread counted, and while it counted into scraps; 0: not yet set; writer:
     lock. */
  uintptr_t gs_bases[2];
  /* Of the live thread, to find its counter words; 0: none, or it may have ended; lock. */
  uintptr_t thread_pointer;
  struct bbq_piece *piece; /* the piece that it is filling, or null; writer: the owner */
  uintptr_t *frames;       /* memory for frames.c, or null; writer: the owner, or lock */
  uint64_t lost_arcs;      /* calls for which there was no memory; writer: the owner */
  /* The address at which a handler of the library interrupted the thread, while the handler runs,
     else 0.  Writer: the owner. */
  uintptr_t interrupted;
  /* The address of the trace point in which the thread sleeps, else 0 (pause_threads.c).  Writer:
     the owner. */
  uintptr_t sleep_pc;
  unsigned number;   /* from 1 */
  int pause_asked;   /* of the last pause that it was asked to join; lock */
  int pause_arrived; /* of the last pause that it joined; writer: the owner; pause_threads.c */
  int tid;           /* of the current or last thread; 0: none; lock */
  bool in_place;     /* counts in the modules' own arrays (the main thread's block) */
  bool stopped;      /* bbprof_thread (0); writer: the owner, under the lock */
  /* The thread is outside of the selected functions (window.c); writer: the owner. */
  bool closed;
  bool leaving; /* the thread is ending; the block is free after that; lock */
};

/* A linked module with instrumented units: the executable or a shared object. */
struct bbp_module {
  struct bbp_module *next; /* newest first; lock */
  struct bb *units;        /* the newest; see bbp_module_next_unit */
  bool named;              /* some units have trace points; lock */
  bool by_base;            /* some units address a thread's counters by GS; lock */
  int64_t word_offset;     /* offset of the thread-local word that other units use; 0: none; lock */
  bool above;              /* threads' counters have to be mapped above the executable; lock */
  int64_t *counts_start, *counts_stop;
  const char *map_start, *map_stop;
  /* Counts to be subtracted, or null: those before the last reset, or between a stop and a
     start. */
  int64_t *baseline;
  int64_t *at_stop;        /* counts at the current stop, or null */
  int64_t *now;            /* counts read for the profile in progress, or null */
  unsigned number;         /* from 1; never reused */
  struct bbl_module *live; /* its description in the live file, or null */
  /* In recovery: the distance of counters and map from their addresses in the process; else 0. */
  uintptr_t moved;
};

/* Samples by program counter: open addressing; see sample_table.c. */
struct bbp_sample {
  uintptr_t pc;   /* 0: free; claimed by the handlers, atomically */
  uint64_t count; /* writers: the handlers, atomically */
};
struct bbp_sample_table {
  size_t mask;  /* slots - 1 */
  size_t used;  /* slots claimed; writers: the handlers, atomically */
  size_t limit; /* of USED; then the next table is made */
  struct bbp_sample_table *older;
  struct bbp_sample slots[];
};

/* The kinds of counts that the dump collects in lists: arcs, and samples, which are arcs from 0. */
enum bbp_kind { BBP_ARCS, BBP_SAMPLES, BBP_KINDS };

struct bbp_count {
  uintptr_t from, self;
  uint64_t count;
};
/* Sorted by from, then self, without duplicates, unless stated otherwise. */
struct bbp_counts {
  struct bbp_count *item;
  size_t n, room;
};

/* Counts derived from the modules' counters: lists of virtual addresses, in any order. */
enum bbp_flow_kind {
  BBP_BLOCKS,  /* executions of blocks; FROM is 0 */
  BBP_EDGES,   /* edges between blocks; 0: outside of the function */
  BBP_CALLS,   /* arcs of direct calls */
  BBP_ENTRIES, /* entries of functions with calls counted as arcs; FROM is 0 */
  BBP_JUMPS,   /* edges of functions with trace points, which arcs do not count */
  BBP_FLOWS
};
struct bbp_flow {
  struct bbp_counts list[BBP_FLOWS];
  uint64_t lost; /* sum of the amounts by which counts came out below 0 */
};

/* An ELF object that is or was loaded.  Each identity (build id, or file) has one for each address
   at which it is loaded at the same time. */
struct bbp_object {
  /* In the order of discovery, the executable first; lock, like all fields. */
  struct bbp_object *next;
  /* Virtual address - link-time address: a multiple of BBX_BASE_UNIT; 0 for the executable. */
  uintptr_t base;
  /* Run-time address - link-time address, of the last load. */
  uintptr_t bias;
  uintptr_t start, end;           /* link-time addresses of all segments */
  uintptr_t text_start, text_end; /* of the executable segments */
  enum bbp_presence { BBP_UNLOADED, BBP_UNLOADING, BBP_LOADED } presence;
  bool listed;       /* by the loader, at the last refresh */
  bool unlisted;     /* found by an address in it, never in the loader's list */
  uint64_t removals; /* the loader's number of removals when this one was unloaded */
  uint32_t loads;
  uint32_t sorting; /* number of the last sorting with it; elf_objects.c */
  size_t build_id_bytes;
  const unsigned char *build_id;
  const char *path; /* absolute, or a name in brackets; empty: not known */
  uint64_t file[4]; /* device, inode, size, time; used if there is no build id */
  bool had_blocks;  /* a module in it has been retired */
};

/* The one state of the library.  Writer: start.c, under the lock, unless a field says otherwise. */
struct bbp_runtime {
  uintptr_t low, high;         /* the profiled run-time addresses; low < high once started */
  uintptr_t own_low, own_high; /* the library's own code, run-time addresses */
  bool started;                /* LOW and HIGH are set */
  bool stopped_before;         /* _mcleanup was called: the next start counts from zero */
  bool stopped;                /* nothing counts: bbprof_stop, moncontrol (0), _mcleanup */
  bool exiting;  /* exit () is running, so _mcleanup is not called by the program itself */
  bool finished; /* the last dump has been made; no dump follows */
  /* The current dump will be replaced by the next one; lock. */
  bool provisional;
  bool in_handler; /* the dump runs in a handler, which may have interrupted any code */
  /* Some units count in their module's own array, so threads need not be attached for them;
     module.c. */
  bool in_place;
  bool inexact; /* some thread shares counters, for lack of memory */
  /* Executions counted in a SIGSEGV handler (count/gs_base.c); writers: all threads, atomically. */
  uint64_t by_signals;
  bool no_base; /* all threads count in the executable's own array, because GS cannot be used */
  /* the loader's lock may never be released (after fork); see elf_objects.c */
  bool loader_in_doubt;
  bool forked;        /* forked from a profiled process: file names get the pid */
  int pid;            /* the process that the counts belong to */
  uint64_t run;       /* run id; not 0 */
  uint64_t written;   /* sum of all counts in the last dump */
  unsigned dumps;     /* number of the last dump */
  uint64_t described; /* when the run was last described in a profile; nanoseconds since 1970 */
  uint64_t since;     /* when the counts were zero; seconds since 1970 */
  bool saved;         /* the last dump was written without error */
  uint64_t lost_arcs; /* of calls before the thread had a block; writers: all threads, atomically */
  /* samples for which there was no memory; writers: the handlers, atomically */
  uint64_t lost_samples;
  /* Samples without a time; writers: the handlers, atomically; ring_memory.c. */
  uint64_t lost_times;
  uint64_t own_samples; /* samples in the library's own code; writers: the handlers, atomically */
  /* calls and samples that no object could be found for; see elf_objects.c */
  uint64_t lost_unloaded, lost_nowhere;
  uint64_t lost_dumps;   /* dumps that could not be written */
  uint64_t lost_running; /* number of times that counts were read while a thread did not pause */
  /* Blocks of threads that may not count them (plain_bb.c); writers: all threads, atomically. */
  uint64_t refused;
  uint64_t lost_flow; /* sum of the amounts by which counts of unloaded objects came out below 0 */
  /* Recovery only: number of killed threads, some of which were inside a function. */
  uint64_t killed;
  /* Recovery only: calls, by virtual addresses, that hooks had counted but killed threads had not
     made; or null. */
  struct bbp_counts *calls_not_made;
  /* Recovery only: where killed threads were: from a function's run-time address to a node of its
     graph; or null. */
  struct bbp_counts *killed_positions;
  uint64_t lost_slices; /* recovery only: slices that had no room in the live file */
  /* Number of programs that the process executed before.  This profile replaces theirs. */
  unsigned replaced;
  bool exec_begun; /* exec was called, and the next program may write no profile */
  struct bbp_thread *threads, *leaving, *last_leaving; /* thread.c */
  struct bbp_module *modules;                          /* module.c */
  /* The range of all code with a map; only grows; module.c. */
  uintptr_t mapped_low, mapped_high;
  uint64_t rebased; /* number of changes of baselines and of threads in flight at them; lock */
  struct bbp_sample_table *samples;      /* the newest table; writers: the handlers, atomically */
  struct bbp_counts *settled[BBP_KINDS]; /* by run-time addresses, or null; retire.c */
  struct bbp_counts *retired[BBP_KINDS]; /* by virtual addresses, or null; retire.c */
  struct bbp_counts *retired_flow[BBP_FLOWS]; /* likewise; flow_lists.c */
  /* Threads in flight at the baseline, and at the stop; or null; totals.c. */
  struct bbp_counts *in_flight_before, *in_flight_at_stop;
};
extern struct bbp_runtime bbp;

/* All units, newest first.  The name is historic; programs of the 1990s may read it. */
extern BBP_PUBLIC struct bb *__bb_head;

/* True if ADDRESS is profiler code.  Its time is not the program's.  The replacement of libc's
   syscall is excluded, because it only passes on the program's calls.  Context: any. */
extern const char bbp_syscall_code[], bbp_syscall_code_end[];
static inline bool
bbp_is_own (uintptr_t address)
{
  return address - bbp.own_low < bbp.own_high - bbp.own_low
         && address - (uintptr_t) bbp_syscall_code
                >= (uintptr_t) bbp_syscall_code_end - (uintptr_t) bbp_syscall_code;
}

/* True if THREAD counts into scraps.  Context: hot. */
static inline bool
bbp_thread_is_apart (const struct bbp_thread *thread)
{
  return __atomic_load_n (&thread->stopped, __ATOMIC_SEQ_CST)
         || __atomic_load_n (&thread->closed, __ATOMIC_SEQ_CST);
}

/* True if the executions of THREAD are to be ignored.  Context: hot. */
static inline bool
bbp_thread_is_stopped (const struct bbp_thread *thread)
{
  return __atomic_load_n (&bbp.stopped, __ATOMIC_SEQ_CST) || bbp_thread_is_apart (thread);
}
/* The calling thread's block, which compiled code tests; not null while attached. */
extern BBP_PUBLIC __thread struct bbp_thread *__bb_thread
    __attribute__ ((tls_model ("initial-exec")));

/* The table in which the calling thread counts its calls, all that the hooks use: its newest one,
   or one that stays empty while the thread is stopped; null: not attached. */
extern __thread struct bbp_arc_table *bbp_arcs __attribute__ ((tls_model ("initial-exec")));

/* The calling thread's words for trace points. */
extern BBP_PUBLIC __thread struct bbp_here __bb __attribute__ ((tls_model ("initial-exec")));

/* While C code runs for a trace point: where its stub continues.  Else 0, or the value before a
   handler.  Writer: the assembler. */
extern __thread uintptr_t bbp_point_caller __attribute__ ((tls_model ("initial-exec")));

/* Internal mode bit: a handler of the program's runs, so each trace point checks whether it still
   does. */
#define BBP_MODE_HANDLER 8U
/* Internal mode bit: functions are selected, so each entry checks whether it is one of them. */
#define BBP_MODE_CHOICES 32U

/* The address at which THREAD waits, if known; 0: it does not. */
static inline uintptr_t
bbp_pause_pc (const struct bbp_thread *thread)
{
  uintptr_t pc = __atomic_load_n (&thread->interrupted, __ATOMIC_ACQUIRE);
  return pc ? pc : __atomic_load_n (&thread->sleep_pc, __ATOMIC_ACQUIRE);
}

enum bbp_clock { BBP_CLOCK_CPU, BBP_CLOCK_WALL };

/* The active sampler; sampler.c.  Writer: under the lock; read in any context. */
struct bbp_sampling {
  const struct bbp_sampler *sampler; /* the chosen sampler; null: none yet */
  /* The sampler before it; its ticks may still arrive; null: none. */
  const struct bbp_sampler *former;
  enum bbp_clock clock;
  unsigned asked, rate; /* ticks a second: requested, and promised by the sampler */
  int signal;           /* the signal of the ticks */
  bool stacks;          /* samples have call stacks */
  bool threads;         /* threads are distinguished, and entered in sampled_threads.c */
  /* Some threads could not be sampled, so their ticks are not attributed to the others. */
  bool partial;
  /* Sampling began while the program ran, so threads may block its signal without the library's
     knowledge. */
  bool late;
};
extern struct bbp_sampling bbp_sampling;

#pragma GCC visibility pop

#endif
