/* SPDX-License-Identifier: MIT */
/* All that the files of the run-time library share.  Nothing here is seen outside the library.

   Context, said on every function: hot (called by compiled code, from anywhere, also from signal
   handlers and before start-up), signal (runs in our own signal handler), cold (start, dump;
   signals blocked where it matters).  Nothing in hot or signal context waits, allocates but by
   mmap, prints, or calls libc, with one exception: attaching a thread, at its first hook, takes
   the lock and asks libc to be told of the thread's end. */
#ifndef BBP_INTERNAL_H
#define BBP_INTERNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "include/bbprof-abi.h"
#include "include/bbprof-file.h"

struct bbp_out;
struct dl_phdr_info;
struct itimerval;
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
   interrupted the thread, or let it go on; front.c. */
#define BBP_ARC_INTERRUPTED ((uintptr_t) 1 << 62)
#define BBP_ARC_RESUMED (BBP_ARC_INTERRUPTED + 1)
/* Set in FROM by jumps.c, with the variant behind it (BBX_JUMPS_...): no call, but a jump from
   block to block; FROM is 0, or SELF BBP_OUTSIDE_JUMP, for what is outside. */
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
  uintptr_t base;
  /* What base has been while it counted, and while it counted into scraps; 0: nothing yet;
     writer: lock. */
  uintptr_t bases[2];
  /* Of the live thread, for its counter words; 0: nobody, or one that may be gone; lock. */
  uintptr_t thread_pointer;
  struct bbq_piece *piece; /* that it is filling, or null; writer: the owner */
  uintptr_t *frames;       /* memory for frames.c, or null; writer: the owner, or lock */
  uint64_t lost_arcs;      /* calls that no memory could be had for; writer: the owner */
  /* Where a handler of ours has interrupted it, as long as that runs, else 0; writer: the owner. */
  uintptr_t interrupted;
  /* Where it is while it sleeps in a trace point, else 0; writer: the owner; hold.c. */
  uintptr_t dozing;
  unsigned number; /* from 1 */
  int asked;       /* number of the last hold that it was asked to wait in; lock */
  int came;        /* and in which it did; writer: the owner; hold.c */
  int tid;         /* of who has it, or had it last; 0: nobody; lock */
  bool in_place;   /* counts in the modules' own arrays (the main thread's block) */
  bool stopped;    /* bbprof_thread (0); writer: the owner, under the lock */
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

/* Samples by program counter, found by open addressing; see samples.c. */
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

/* options.c: what BBPROF_OPTIONS says.  Read once, in the cold; only read afterwards. */
#define BBP_OPTION_TEXT 1024
enum bbp_said { BBP_UNSAID, BBP_NO, BBP_YES };
struct bbp_options {
  char output[BBP_OPTION_TEXT]; /* name of the profile, with patterns; empty: the default */
  bool live;                    /* count in a file mapping */
  unsigned checkpoint;          /* seconds; 0: none */
  bool fatal_signals;           /* dump when a signal's default action ends the process */
  bool start;                   /* count from the start; else when told to */
  bool control;                 /* listen to `bbprof control' */
  uint64_t window;              /* so many blocks of each thread; 0: all */
  bool overflow_drop;           /* what the writer cannot keep up with; else wait */
  uint64_t trace_memory;        /* bytes shared with the writer */
  /* Threads count only where they say so: BBPROF_SCOPE, bbprof_thread. */
  bool scope;
  /* Of code with trace points; what is not said here, bb.in may say (words.c). */
  enum bbp_said trace;             /* what is executed in which order */
  enum bbp_said jumps;             /* how often what follows what */
  enum bbp_said hidecall, showret; /* variants of these */
  /* itimer, thread, ticker, perf, auto; empty: itimer, as it always was. */
  char sampler[BBP_OPTION_TEXT];
  bool wall;                 /* sample wall time; else CPU time */
  unsigned rate;             /* ticks a second; 0: the kernel's, or the default of who samples */
  bool stacks;               /* each sample with its stack */
  bool times;                /* and when it was taken, in a file of its own */
  char raw[BBP_OPTION_TEXT]; /* file of their addresses; empty: none; a name as OUTPUT */
  unsigned timeline;         /* and there, which thread ran when: enum bbs_timeline */
  /* ticker: the next tick does not wait for the samples of this one. */
  bool periodic;
  bool weighted;   /* ticker: samples stand for the CPU time that has passed */
  unsigned signal; /* that ticks come by; 0: chosen */
  /* Only these are sampled: numbers, names or patterns, with commas; empty: all. */
  char threads[BBP_OPTION_TEXT];
  /* Begin without any instrumented code, in whatever program this is. */
  bool record;
  /* The program that writes what has no room here; empty: that which was installed. */
  char writer[BBP_OPTION_TEXT];
  bool children;     /* and in those that it starts */
  unsigned recorder; /* the process of bbprof record; 0: none */
  /* This process has run so many programs before: 0 is what bbprof record has started. */
  unsigned process, image;
  bool historic; /* write bb.out and bbtrace.gz, too */
  /* Words that select functions, or @ and the name of a file; empty: bb.in. */
  char select[BBP_OPTION_TEXT];
};
extern struct bbp_options bbp_options;
void bbp_options_read (void);
void bbp_options_forgo_samples (void); /* cold, then: sample with the process's timer only */
/* Of BBPROF_OPTIONS: the bytes before "::", or all; 0: they do not say record=1. */
size_t bbp_options_of_record (const char *value);

/* The one state of the library.  Writer: control.c, under the lock, unless a field says
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
  /* Executions that were counted because a signal came (base.c); writers: all threads,
     atomically. */
  uint64_t by_signals;
  bool no_base;          /* and in the executable all threads do, because GS cannot be used */
  bool loader_in_doubt;  /* the loader's lock may never be given back; see objects.c */
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
  uint64_t lost_unloaded, lost_nowhere; /* calls and samples given up; see objects.c */
  uint64_t lost_dumps;                  /* that could not be written */
  uint64_t lost_running; /* times that counts were read of threads that would not wait */
  /* Blocks of threads that may not count them (plain.c); writers: all threads, atomically. */
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
  struct bbp_counts *retired_flow[BBP_FLOWS]; /* the same; blocks.c */
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
/* Of its mode, besides what compiled code knows: a handler of the program's runs, and each point
   has to look whether it still does. */
#define BBP_MODE_HANDLER 8U
/* The user has chosen functions, and each entry has to look whether it is one of them. */
#define BBP_MODE_CHOICES 32U

/* Where the point's stub goes on that the thread is in while C runs for it; else 0, or what it
   was before a handler.  Writer: the assembler. */
extern __thread uintptr_t bbp_point_caller __attribute__ ((tls_model ("initial-exec")));

/* lock.c: the one lock, for all that is cold.  Signals are blocked while it is held, so that no
   handler meets it. */
typedef unsigned long bbp_sigset;
bbp_sigset bbp_signals_block (void);
void bbp_signals_restore (bbp_sigset);
bbp_sigset bbp_lock (void);
bool bbp_lock_try (bbp_sigset *); /* false: somebody has it */
void bbp_unlock (bbp_sigset);
void bbp_lock_reset (void); /* in a forked child: free, whoever held it */

/* handler.c: signal, lock held */
void bbp_in_handler (void (*function) (void *), void *argument);

/* pages.c: zeroed memory from mmap; null when there is none.  Context: any. */
void *bbp_pages_map (size_t bytes);
void bbp_pages_unmap (void *pages, size_t bytes);

/* slice.c: memory for counts, in the live file if there is one.  Zeros at first; null: none to
   be had.  Context: any, but as said.  KIND, NUMBER, OF: see bbprof-live.h. */
struct bbl_head;
void *bbp_slice_map (uint32_t kind, uint32_t number, uint32_t of, size_t bytes);
void bbp_slice_ready (void *);  /* all is there by which it can be understood */
void bbp_slice_unmap (void *);  /* cold, lock held; null: does nothing */
bool bbp_slices_in_file (void); /* new ones are made there */
/* cold: a new, empty file; 0 or -errno; FD may be closed. */
long bbp_slices_open (int fd, const char *path, struct bbl_head **);
bool bbp_slices_leave_file (void); /* cold: whether there is a file, and it still has its name */
void bbp_slices_close (void);      /* cold: new ones are made elsewhere; the file's head is gone */
/* cold: into the live file that now is, or out of it; nobody counting meanwhile. */
void bbp_slices_move (void);

/* live.c: the live file.  Cold, lock held. */
/* What the live file asks of those above it. */
struct bbp_live_above {
  bool (*alone) (void);        /* cold: nobody but the calling thread can be counting just now */
  void (*leave_place) (void);  /* cold: the main thread has copies from now on */
  uint64_t (*due) (void);      /* any: ticks by the CPU clock and the rate; 0: not known */
  uint64_t (*left_out) (void); /* any: ticks of stopped threads */
  int (*rate) (void);          /* any: ticks a second */
};
extern const struct bbp_live_above bbp_live_above;
void bbp_live_start (void);
void bbp_live_forked (void); /* in the child: a file of its own */
void bbp_live_remove (void); /* all of it has been written */
void bbp_live_return (void); /* after a removal: it goes on after all */
void bbp_live_save (void);   /* what the counts mean has changed */
/* Signal too: time goes by, of which so many ticks were sampled. */
void bbp_live_tick (unsigned ticks);
void bbp_live_head_ready (void);
void bbp_live_name_profile (void); /* the next dump has perhaps another name */
void bbp_live_add_module (struct bbp_module *);
/* Before a thread's word for it is pointed to a copy. */
void bbp_live_add_unit (struct bbp_module *, const struct bb *);

/* What counting asks of those above it, or tells them.  Cold, lock held, but as said. */
struct bbp_count_above {
  void (*start) (void);                        /* no lock held: the first unit is there */
  void (*end) (void);                          /* any: the process is about to be ended */
  void (*selected) (void);                     /* what the user has selected is known now */
  void (*has_points) (void);                   /* a module has units with trace points */
  void (*thread_begins) (struct bbp_thread *); /* the calling one */
  void (*thread_ends) (void);                  /* the same */
  void (*thread_chooses) (void); /* the same: what the user has selected holds for it, too */
  void (*stopped) (void);        /* some thread, or all, are to count no more, or again */
};
extern const struct bbp_count_above bbp_count_above;

/* arc.c */
struct bbp_arc_table *bbp_arc_table_new (size_t slots, unsigned thread);
/* hot: called by mcount when its first look fails. */
void bbp_arc_slow (uintptr_t from, uintptr_t self);
/* hot; false: full. */
bool bbp_arc_add (struct bbp_arc_table *, uintptr_t from, uintptr_t self, uint64_t count);
/* hot. */
void bbp_arcs_use (struct bbp_arc_table **word, struct bbp_thread *);
bool bbp_arcs_count (void); /* whether the calling thread counts now; hot */
/* Count it, whether calls count or not; signal. */
void bbp_arc_note (struct bbp_thread *, uintptr_t from, uintptr_t self);

/* thread.c */
struct bbp_thread *bbp_thread_attach (void); /* hot; null: no memory */
void bbp_thread_attach_hook (void);          /* hot: behind __bb_thread_func */
void bbp_threads_recall (void);              /* cold, lock held */
/* cold, lock held: all threads' calls. */
void bbp_threads_stop (bool stop);
/* signal; null: not known, nor need to be, or no memory. */
struct bbp_thread *bbp_thread_interrupted (void);
void bbp_thread_interrupt (const void *context); /* signal */
/* cold, lock held: the user's choice is known. */
void bbp_threads_begin (void);
void bbp_thread_open (struct bbp_thread *, bool open); /* hot: the calling one */
/* cold: the calling one; what it was before. */
bool bbp_thread_stop (bool stop);
void bbp_threads_forked (void);      /* cold, lock held */
bool bbp_threads_alone (void);       /* cold, lock held */
void bbp_threads_leave_place (void); /* cold, lock held */

/* hold.c: the other threads wait.  Cold, lock held, but as said. */
void bbp_hold (void);          /* begins; nobody is asked yet */
bool bbp_hold_more (void);     /* all that run now; false: nobody else does */
bool bbp_hold_is_whole (void); /* false: some go on, or have not come */
void bbp_release (void);
void bbp_hold_reset (void);
bool bbp_hold_asked (const siginfo_t *, const void *context); /* signal */
void bbp_hold_doze (struct bbp_thread *, uintptr_t pc);       /* hot: the calling one may sleep */
void bbp_hold_wake (struct bbp_thread *);                     /* hot: and goes on */

/* Where THREAD waits, as far as known; 0: nowhere. */
static inline uintptr_t
bbp_hold_place (const struct bbp_thread *thread)
{
  uintptr_t pc = __atomic_load_n (&thread->interrupted, __ATOMIC_ACQUIRE);
  return pc ? pc : __atomic_load_n (&thread->dozing, __ATOMIC_ACQUIRE);
}

/* copies.c: cold, lock held */
void bbp_copies_use (struct bbp_thread *);      /* the calling one */
void bbp_copies_use_anew (struct bbp_thread *); /* the calling one, whose place has changed */
void bbp_copies_switch (struct bbp_thread *);   /* the same; hot */
void bbp_copies_add_unit (struct bbp_module *, const struct bb *);
void bbp_copies_remove (const struct bbp_module *);

/* base.c: any, but as said */
void bbp_base_start (void); /* cold */
/* Of the calling thread; false: not possible. */
bool bbp_base_set (struct bbp_thread *, uintptr_t base);
bool bbp_base_is_free (void);
void bbp_base_go (const struct bbp_module *); /* its code goes by the base; cold */
/* SIGSEGV: whether that was a counter which the thread could not reach because the program has
   set the base; then it has counted, and CONTEXT goes on behind it.  Context: signal. */
bool bbp_base_count (void *context);
/* The program is about to set it; does not return if that would destroy its memory. */
void bbp_base_meet (uintptr_t base);

/* module.c */
extern BBP_PUBLIC struct bb *__bb_head;
BBP_PUBLIC void __bb_init_func (struct bb *);
#define BBP_IS_EXTENDED(unit) \
  ((unit)->nwords >= (long) sizeof (struct bb) && (unit)->magic == BBP_ABI_MAGIC)
struct bbp_module *bbp_module_of (struct bb *); /* lock held; null: none yet */
/* Lock held; null: that was the last. */
struct bb *bbp_module_next_unit (const struct bbp_module *, const struct bb *);
static inline size_t
bbp_module_ncounts (const struct bbp_module *module)
{
  return module->counts_stop - module->counts_start;
}

/* Lock held; null: none of its units is registered. */
struct bbp_module *bbp_module_in (const struct bbp_object *);
/* Lock held: put aside what has no destructors; false: it has, and they come. */
bool bbp_modules_leave (struct bbp_object *);

/* objects.c: cold.  The lock is held, but for bbp_objects_refresh, which takes it. */
/* What the table of objects tells those above it, or asks them; all with the lock held. */
struct bbp_objects_above {
  /* The destructors of OBJECT have run, and it is unmapped next: what was counted in it is put
     aside. */
  void (*leaves) (struct bbp_object *object);
  /* OBJECT is not listed any more.  KNOWN: what is counted at its addresses is its own. */
  void (*lost) (const struct bbp_object *object, bool known);
  /* Whether what it has registered may be put aside now; false: by its own destructors, later. */
  bool (*modules_leave) (struct bbp_object *object);
  /* Call EACH with all addresses at which something was counted. */
  void (*name_counted) (void (*each) (void *data, uintptr_t address), void *data);
  void (*changed) (void); /* what the counts mean */
};
extern const struct bbp_objects_above bbp_objects_above;
void bbp_objects_start (void);
/* Compare with the loader's list; not in a signal handler. */
void bbp_objects_refresh (bool loading);
/* any: enter those of which something was counted, without the loader's lock. */
void bbp_objects_ask (void);
/* The same at a new arc, if it is in no object that is known: with a live file it must be,
   before the process is killed.  Hot, but rare; takes the lock.  THREAD: the calling one. */
void bbp_objects_meet (struct bbp_thread *, uintptr_t self);
struct bbp_object *bbp_object_executable (void);      /* the head of the list of all; no lock */
struct bbp_object *bbp_object_at (uintptr_t address); /* run-time; null: none */
void bbp_object_leave (struct bbp_object *); /* its destructors have run, it is unmapped next */
static inline bool
bbp_object_holds (const struct bbp_object *object, uintptr_t address)
{
  return address - object->bias - object->start < object->end - object->start;
}
static inline uintptr_t
bbp_object_virtual (const struct bbp_object *object, uintptr_t address)
{
  return address - object->bias + object->base;
}

/* loader.c: cold.  Objects as the loader has them, in a mapping of their own, linked by their
   NEXT. */
#define BBP_PAGE_BYTES 4096
struct bbp_found {
  char *memory;
  size_t used, room;
  struct bbp_object *first, **last;
  size_t n;
  uint64_t seen;              /* changes that are known */
  uint64_t changes, removals; /* the loader's counters at the time of its list */
  bool unchanged;             /* since SEEN, so not looked at */
  bool cut;                   /* there was too little room */
};
bool bbp_found_make (struct bbp_found *, size_t room); /* false: no memory */
void bbp_found_append (struct bbp_found *, const struct bbp_object *);
/* Takes the loader's lock; false: too little room. */
bool bbp_loader_list (struct bbp_found *, size_t room, uint64_t seen);
/* any, lock held; null: nobody known. */
const struct bbp_object *bbp_loader_at (struct bbp_found *, uintptr_t address);

/* identity.c: cold */
#define BBP_BUILD_ID_SIZE 64
void bbp_identity_bounds (struct bbp_object *, const struct dl_phdr_info *);
/* null: it has none. */
const unsigned char *bbp_identity_build_id (const struct dl_phdr_info *, size_t *bytes);
/* The same. */
const unsigned char *bbp_identity_note (const struct dl_phdr_info *, const char *name,
                                        uint32_t type, size_t *bytes);
void bbp_identity_complete (struct bbp_object *);
bool bbp_identity_stays (const struct bbp_object *, const struct bbp_object *found);
bool bbp_identity_same (const struct bbp_object *, const struct bbp_object *);
/* The same in every run, on every machine. */
uint64_t bbp_identity_hash (const struct bbp_object *);

/* unload.c: cold */
void bbp_unload_start (void);

/* samples.c */
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
bool bbp_sampler_takes_sigprof (void);                 /* cold: its ticks come by that */
bool bbp_sampler_shares_signal (int number);           /* any: our handler calls the program's */
void bbp_on_tick (int, siginfo_t *, void *);           /* signal */
void bbp_profil_sample (uintptr_t pc, unsigned ticks); /* profil.c; signal */

/* counts.c: cold.  0 or -errno. */
int bbp_counts_make (struct bbp_counts *, size_t room);
void bbp_counts_free (struct bbp_counts *);
/* unsorted; if there is room. */
void bbp_counts_append (struct bbp_counts *, uintptr_t from, uintptr_t self, uint64_t count);
/* The same; makes room; false: none. */
bool bbp_counts_put (struct bbp_counts *, uintptr_t from, uintptr_t self, uint64_t count);
void bbp_counts_unite (struct bbp_counts *); /* sorts, adds up equal ones */
/* sorted; 0: none. */
uint64_t bbp_counts_of (const struct bbp_counts *, uintptr_t from, uintptr_t self);
/* Leaves out what becomes 0; null: nothing. */
void bbp_counts_subtract (struct bbp_counts *, const struct bbp_counts *);
int bbp_counts_add (struct bbp_counts *, const struct bbp_counts *); /* null: nothing */
/* Add to a list that lasts; null: empty. */
int bbp_counts_keep (struct bbp_counts **, const struct bbp_counts *);
/* Free a list that lasts. */
void bbp_counts_drop (struct bbp_counts **, struct bbp_counts *instead);
uint64_t bbp_counts_sum (const struct bbp_counts *);

/* What is known of the sampling of time, since the last reset. */
struct bbp_sampling_facts {
  uint64_t rate;      /* ticks a second */
  uint64_t taken;     /* ticks, those left out and lost included */
  uint64_t due;       /* by the CPU clock and the rate; 0: not known */
  uint64_t missed;    /* of threads that the sampler could not reach */
  uint64_t wall, cpu; /* nanoseconds while enabled */
};

/* What the dump asks of those above it, or tells them; all cold, lock held. */
struct bbp_dump_above {
  /* The other threads wait (hold.c); in recovery there are none. */
  void (*hold) (void);
  bool (*hold_more) (void);
  bool (*hold_is_whole) (void);
  void (*totals_taken) (void); /* and they still do */
  void (*release) (void);
  bool (*hides) (uintptr_t block);            /* the user does not want its function's blocks */
  void (*write_selection) (struct bbp_out *); /* chunks on the functions that the user selects */
  void (*describe_run) (struct bbx_run *);    /* at this moment */
  void (*describe_sampling) (struct bbp_sampling_facts *);
  /* The thread NUMBER, from 1, ended or not; with number 1 all are written down anew before;
     false: there was none so far. */
  bool (*describe_thread) (uint32_t number, struct bbx_thread *);
  void (*reset_samples) (void); /* what has been sampled so far counts no more */
  void (*changed) (void);       /* what the counts mean */
};
extern const struct bbp_dump_above bbp_dump_above;

/* totals.c: cold, lock held */
/* At one moment, and all arcs if ARCS is not null; 0 or -errno. */
int bbp_totals_take (struct bbp_counts *arcs);
void bbp_totals_drop (void);
/* Of what was taken, or now; since the last reset; null: no memory. */
long *bbp_totals_make (struct bbp_module *);
/* Control was at PC, and had not gone on from there, WEIGHT times, when the totals were taken. */
struct bbp_in_flight {
  uintptr_t pc;
  long weight;
};
size_t bbp_totals_in_flight (const struct bbp_in_flight **);
int bbp_totals_look (void); /* who is in flight now; 0 or -errno */
/* Who was in flight in it then is so no more; the same. */
int bbp_totals_settle (const struct bbp_object *);
void bbp_totals_free (long *, const struct bbp_module *);
int bbp_totals_reset (void); /* what was taken is the baseline from now on; 0 or -errno */
/* What is counted from here on counts for nothing, or does again. */
void bbp_totals_stop (bool stop);
void bbp_totals_add_module (struct bbp_module *); /* a new one */

/* What the tree of calling contexts is at one moment: tree.c. */
struct bbp_tree_node;
struct bbp_tree {
  struct bbp_tree_node *node; /* number i at i - 1 */
  size_t n;
};

/* How many more, or fewer, there may have been because it is not known where a THREAD was killed
   (bbprof-file.h). */
struct bbp_open {
  const struct bbp_open *next;
  uint32_t thread;
  struct bbp_counts list[BBX_OPEN_LISTS]; /* virtual addresses */
};

/* gather.c, retire.c, blocks.c, merge.c: cold, lock held.  0 or -errno. */
struct bbp_profile {
  struct bbp_counts arcs, samples; /* virtual addresses */
  struct bbp_tree tree;            /* of the stacks that were sampled; empty if none were */
  bool estimated;                  /* nothing counted calls: the arcs follow from the tree */
  struct bbp_counts jumps;         /* as counted: with marks */
  struct bbp_flow flow;
  const struct bbp_open *open;          /* recovery only, or null; borrowed */
  uint64_t calls, executions, sampled;  /* how many of each in all */
  uint64_t sum;                         /* of these: grows whenever anything was counted */
  uint64_t lost_unloaded, lost_nowhere; /* calls and samples in no known object */
};
/* What was counted and is not settled, by run-time addresses: all, or what is in, or called
   from, one object. */
int bbp_gather (struct bbp_counts *, enum bbp_kind, const struct bbp_object *);
/* All that ever was, as it lies there. */
int bbp_gather_raw (struct bbp_counts *, enum bbp_kind, const struct bbp_object *);
void bbp_gather_finish (struct bbp_counts *, enum bbp_kind);
/* All addresses of what was gathered: of both ends of arcs, and of samples. */
void bbp_gather_addresses (void (*each) (void *data, uintptr_t address), void *data);
/* Append how often more each place was interrupted than resumed: from 0. */
int bbp_gather_interrupts (struct bbp_counts *);
/* From run-time to virtual addresses; unknown callers become 0.  Returns how much was left out,
   being in no object. */
uint64_t bbp_counts_resolve (struct bbp_counts *);
/* settle, and keep unless it is not known whose counts they are. */
void bbp_retire (const struct bbp_object *, bool known);
void bbp_blocks_retire (struct bbp_object *);
int bbp_blocks_merge (struct bbp_flow *, const struct bbp_counts *entries);
int bbp_blocks_reset (void);
void bbp_flow_free (struct bbp_flow *);

/* historic.c: units with tables of the historic layout.  Cold, lock held. */
struct bbp_block_name {        /* what a unit's own tables say of a block */
  uintptr_t address;           /* virtual */
  const char *function, *file; /* "": they do not say */
  uint64_t line;               /* 0: they do not say */
};
/* The unit itself, if it is such a one, or the next on the list; or null. */
struct bb *bbp_historic_next (struct bb *);
#define FOR_EACH_HISTORIC(unit) \
  for (struct bb *unit = bbp_historic_next (__bb_head); unit; unit = bbp_historic_next (unit->next))
int bbp_historic_put (struct bbp_flow *); /* their blocks; 0 or -errno */
int bbp_historic_reset (void);            /* the same */
void bbp_historic_retire (struct bb *);   /* it is unmapped soon */
void bbp_historic_describe (const struct bb *, struct bbx_unit_block *); /* all its blocks */
const char *bbp_historic_function (const struct bb *, long i); /* name; "": they do not say */
const char *bbp_historic_file (const struct bb *, long i);     /* the same */
/* false: they say nothing. */
bool bbp_historic_name (const struct bb *, long i, struct bbp_block_name *);

int bbp_merge (struct bbp_profile *);
void bbp_merge_free (struct bbp_profile *);
int bbp_merge_reset (void);         /* what has been counted so far counts no more */
int bbp_merge_reset_samples (void); /* the same of samples alone */

/* calls.c: cold, lock held.  ENTRIES: where functions begin whose calls are arcs, run-time
   addresses, but as said. */
int bbp_calls_entries (struct bbp_counts *entries);
bool bbp_calls_direct (const struct bbp_counts *entries, uintptr_t point, bool tail,
                       uintptr_t *from, uintptr_t *self);
/* Those of indirect calls. */
void bbp_calls_follow (struct bbp_counts *arcs, const struct bbp_counts *entries);
/* Virtual addresses. */
int bbp_calls_complete (struct bbp_counts *arcs, const struct bbp_counts *entries, uint64_t *lost);

/* code.c: cold, lock held; what lies at run-time addresses */
/* N bytes of code; null: none that can be read. */
const unsigned char *bbp_code_at (uintptr_t address, size_t *n);
/* A slot that the loader has filled in. */
bool bbp_code_slot (uintptr_t address, uintptr_t *content);

/* extent.c: cold, lock held */
uintptr_t bbp_extent_begin (uintptr_t address); /* of the code that holds ADDRESS; 0: not known */
/* Both are code of one function, or of one part of it. */
bool bbp_extent_is_one (uintptr_t a, uintptr_t b);

#define BBP_PATH_SIZE 4096

/* gmon.c, out.c: cold */
struct bbp_out {
  int fd;
  int error;        /* first one, as errno; once set nothing more is written */
  size_t used;      /* of buffer */
  uint64_t written; /* bytes given to the kernel, or left out as zeros */
  uint64_t limit;   /* RLIMIT_FSIZE: beyond it write () would kill */
  char *memory;     /* instead of a file, if there is no fd: all that was written */
  size_t memory_bytes;
  char temporary[BBP_PATH_SIZE + 64];
  char buffer[16384];
};
long bbp_open_high (const char *path, int flags); /* a descriptor, none of 0 to 2, or -errno */
/* To a file that is there; 0 or -errno. */
int bbp_out_append (int fd, const char *bytes, size_t n, uint64_t *done);
bool bbp_out_open (struct bbp_out *, const char *path); /* opens a temporary file */
/* What must not be replaced, nor written to: errno; 0: nothing. */
int bbp_out_in_the_way (const char *path);
void bbp_out_open_memory (struct bbp_out *); /* in fields of zeros */
/* The memory is the caller's to unmap; false: see error. */
bool bbp_out_close_memory (struct bbp_out *);
void bbp_out_bytes (struct bbp_out *, const void *, size_t);
void bbp_out_zeros (struct bbp_out *, size_t n);
void bbp_out_discard (struct bbp_out *);
bool bbp_out_finish (struct bbp_out *); /* closes, or removes it all; false: see error */
bool bbp_out_rename (struct bbp_out *, const char *path); /* the same */

/* leftovers.c: cold, lock held */
struct bbp_text;
void bbp_leftovers_name (struct bbp_text *, const char *path); /* of the temporary file for PATH */
/* Those for the profile PATH, of processes that are gone; once in a process. */
void bbp_leftovers_remove (const char *path);

/* As in bbprof-file.h. */
void bbp_gmon_write (struct bbp_out *, const struct bbp_profile *, uint64_t run, uint32_t moment);

/* edges.c: cold */
#define BBP_NUMBER_BYTES 10 /* of 64 bits, 7 at a time */
/* Unsigned LEB128; behind it. */
unsigned char *bbp_number_put (unsigned char *next, uint64_t value);
uint64_t bbp_number_fold (uint64_t value); /* small if VALUE is close to 0 from either side */
size_t bbp_edges_room (const struct bbp_counts *); /* most bytes that they need */
size_t bbp_edges_encode (unsigned char *bytes, const struct bbp_counts *); /* how many they are */

/* run.c, bbx.c, losses.c, write.c: cold, lock held */
enum { BBP_LOSSES = 20 };
void bbp_run_begin (void);
void bbp_run_describe (struct bbx_run *); /* at this moment */
uint64_t bbp_run_started (void);          /* nanoseconds since 1970 */
uint64_t bbp_run_began (void);            /* any: CLOCK_MONOTONIC then, nanoseconds */
uint64_t bbp_run_time (void); /* any: nanoseconds since the run began; 0: there is no clock */
void bbp_run_clocks (uint64_t *wall, uint64_t *cpu); /* any: nanoseconds since the run began */
uint64_t bbp_lost_calls (void);                      /* since the last reset */
uint32_t bbp_bbx_crc (uint32_t crc, const void *, size_t); /* begins with 0 */
struct bbp_part {
  const void *bytes;
  size_t n;
};
enum { BBP_PARTS = 3 };
/* Content in so many parts; those at the end may be empty. */
void bbp_bbx_chunk (struct bbp_out *, uint32_t type, const struct bbp_part *);
/* All chunks about stacks; tree_write.c. */
void bbp_tree_write (struct bbp_out *, const struct bbp_profile *);
/* BBX_JUMPS_...; 0 or -errno. */
int bbp_jumps_make (struct bbp_counts *, const struct bbp_profile *, uint32_t variant);
/* The moment, for gmon.out. */
uint32_t bbp_bbx_write (struct bbp_out *, const struct bbp_profile *);
void bbp_losses_gather (struct bbx_loss *, const struct bbp_profile *);
void bbp_losses_say (const char *subject); /* on stderr, if the user has to know */
void bbp_losses_reset (void);
int bbp_write (const char *path, const struct bbp_profile *); /* PATH and PATH.bbx; 0 or -errno */
/* historic_files.c: bb.out, of a profile that has just been written. */
void bbp_historic_write (const struct bbp_profile *);

/* rights.c: files are touched with the rights of who started the program.  Cold, lock held. */
void bbp_rights_start (void);
bool bbp_rights_lower (void); /* false: not possible */
void bbp_rights_restore (void);

/* path.c: where the files go */
/* PATH of BBP_PATH_SIZE bytes; returns it. */
const char *bbp_path_absolute (char *path, const char *name);
void bbp_path_start (void); /* remembers the working directory, and what names are made of */
bool bbp_path_prefixed (char *path, size_t size); /* by GMON_OUT_PREFIX; false: not to be used */
/* NAME as it was meant at the start; false: too long. */
bool bbp_path_of_start (char *path, size_t size, const char *name);
bool bbp_path_next (char *path, size_t size); /* the next dump's */
/* any: how many programs this process has run before; of a process that bbprof record has not
   started itself, from 1. */
unsigned bbp_image (void);
/* OUTPUT with its patterns; in a forked child with its pid; false: too long. */
bool bbp_path_named (char *path, size_t size, const char *output);
bool bbp_path_plain (char *path, size_t size); /* the same, of output=, else gmon.out */

/* message.c: "bbprof: SUBJECT: TEXT" on stderr, if that still is what it was at the start.
   Cold. */
void bbp_message_start (void);
void bbp_message (const char *subject, const char *text);
void bbp_message_line (const char *text);                  /* just that */
void bbp_complain (const char *subject, const char *text); /* the same, but once only */

/* text.c: numbers and strings into a fixed buffer, always terminated */
struct bbp_text {
  char *buffer;
  size_t size, used;
  bool cut;
};
void bbp_text_string (struct bbp_text *, const char *);
void bbp_text_bytes (struct bbp_text *, const char *, size_t);
void bbp_text_number (struct bbp_text *, uint64_t);
void bbp_text_time (struct bbp_text *, uint64_t seconds);
size_t bbp_string_bytes (const char *); /* the terminating zero included */
void bbp_copy_bytes (void *to, const void *from, size_t n);

/* name.c */
struct bbp_name_facts {
  const char *host, *program, *rank;
  uint64_t start; /* seconds since 1970 */
  unsigned pid, dump;
};
const char *bbp_name_expand (struct bbp_text *, const char *pattern, const struct bbp_name_facts *);
bool bbp_name_has (const char *pattern, char letter);

/* clock.c */
void bbp_clock_start (void); /* cold */
/* any; nanoseconds of CLOCK_MONOTONIC, mostly without a system call; 0: not known. */
uint64_t bbp_clock_now (void);

/* process.c */
void bbp_process_start (void);  /* cold */
void bbp_process_disown (void); /* cold; from now on none is bbp_own_process () */
bool bbp_own_process (void);    /* any; false: a child of vfork or of a bare clone */
/* any; the profiled process's, or lent by it to a child of vfork; not a copy. */
bool bbp_profiled_memory (void);
bool bbp_own_memory (void); /* any; false: that of vfork's parent */

/* environment.c: what the program sees of the variables that are for this library.  Cold, but as
   said. */
void bbp_environment_leave (void); /* at the start, when the options are known */
/* For exec: what ENVP has to become, in ROOM, of the SIZE that is asked for first, in pointers;
   0: it stays.  Also a vfork child. */
size_t bbp_environment_room (char *const envp[]);
char *const *bbp_environment_put_back (char *room[], size_t size, char *const envp[]);

/* twin.c: cold */
/* There is another one of this library in the process, which does what is to be done. */
bool bbp_twin_leads (void);
/* libbbprof-record.so is preloaded: the process is to be recorded, whatever its options say. */
bool bbp_twin_records (void);

/* control.c: cold */
void bbp_start_by_unit (void);
void bbp_start_by_call (void);    /* the program has asked for samples; no lock held */
void bbp_stop (bool stop);        /* the whole process; false: count on */
void bbp_stop_locked (bool stop); /* lock held */
int bbp_reset_locked (void);      /* lock held: count from zero; 0 or -errno */
/* Lock held; else only if something was counted since the last; 0 or -errno. */
int bbp_dump_locked (bool always);
void bbp_dump (void);
const char *bbp_dump_name (void); /* where the last dump went, or should have; lock held */
void bbp_dump_in_handler (void);  /* signal; lock held */
void bbp_dump_at_end (bool in_handler);

/* sigmask.c: any */
void bbp_sigmask_tell (bool tell);
void bbp_sigmask_settle (void);
/* The calling thread begins; the program believes that it blocks the signal of ticks. */
void bbp_sigmask_begin (bool blocks);
bool bbp_sigmask_blocks (void);                               /* the same of the calling thread */
bool bbp_sigmask_put_back (const siginfo_t *, void *context); /* signal */
void bbp_sigmask_give_back (const siginfo_t *);
/* 1: it was blocked before, 0, or -1 with errno. */
int bbp_sigmask_change_one (int how, int number);

/* exit.c: cold */
void bbp_exit_start (void);
void bbp_exit_dump (void); /* the process ends here, by some way or other */

/* checkpoint.c */
void bbp_checkpoint_run (bool);                 /* cold, lock held: begin or end */
void bbp_checkpoint_tick (const void *context); /* signal */
uint64_t bbp_checkpoint_due (void);             /* when the next one is to be; any */

/* command.c */
void bbp_on_command (int, siginfo_t *, void *); /* signal */
void bbp_commands_show (bool taken);            /* any: for who asks whether they are */

/* exec.c: cold */
void bbp_exec_leave (void);
int bbp_exec_come_back (int result); /* with errno and the RESULT of exec */

/* filter.c, sandbox.c: system calls that the program gives up.  Cold. */
struct sock_filter;
struct sock_fprog;
struct bbp_filter_state;
size_t bbp_filter_room (size_t length);
bool bbp_filter_is_closed (const struct sock_filter *, size_t length);
bool bbp_filter_allows (const struct sock_filter *, size_t length, long number,
                        struct bbp_filter_state *);
void bbp_sandbox_expect (void);        /* cold: a filter may follow that is not seen */
void bbp_sandbox_end (void);           /* cold: the process ends, or becomes another program */
void bbp_sandbox_resume (void);        /* cold: or it has not */
void bbp_sandbox_forked (bool let_go); /* cold, in a forked child: does it make a profile? */
/* Any: from HOLD (true) to HOLD (false) the thread runs nothing of the program's, so what was
   found out holds for it. */
void bbp_sandbox_hold (bool);
/* The calling thread, which is the library's own or ends the process, never asks. */
void bbp_sandbox_free (void);
long bbp_sandbox_enter (const struct sock_fprog *, long number, long a, long b, long c);

/* bynumber.c: any */
long bbp_syscall_seen (long number, long a, long b, long c, long d, long e, long f);
long bbp_syscall_failed (long result);

#define BBP_LAST_SIGNAL 64

/* What the program's signals are asked of those above, or told them. */
struct bbp_signals_above {
  /* Handlers in the place of default actions: of `bbprof control', of ticks, of what ends the
     process.  Signal. */
  void (*on_command) (int, siginfo_t *, void *context);
  void (*on_tick) (int, siginfo_t *, void *context);
  void (*on_fatal) (int, siginfo_t *, void *context);
  void (*commands_taken) (bool); /* any: whether `bbprof control' is answered */
  /* Any: the signal of ticks, left to its default, is for on_tick; it is NUMBER, and the
     program's handler is called by ours; ticks come; the profiling timer is set, and ours. */
  bool (*ticks_stand_in) (void);
  bool (*ticks_share) (int number);
  bool (*ticks_come) (void);
  bool (*timer_is_ours) (void);
  /* Any: the program handles SIGPROF itself, or no longer; it sets setitimer's timer, or has
     none: whether it had one before. */
  void (*take_tick_signal) (bool taken);
  bool (*take_timer) (bool taken);
  /* SIGSEGV came of a counter, and has counted: CONTEXT goes on behind it.  Signal. */
  bool (*counted) (void *context);
  /* A handler of the program's begins, which has interrupted CONTEXT, set with SA_RESTART or
     not: whether that was noted; it returns; and CONTEXT, which was noted, goes on.  Signal. */
  bool (*handler_begins) (void *context, bool restarts);
  void (*handler_returns) (void);
  void (*handler_ends) (const void *context);
  void (*aborts) (void); /* signal: abort ends the process inside of libc */
};
extern const struct bbp_signals_above bbp_signals_above;

/* signals.c: handlers in the place of default actions that end the process */
bool bbp_signal_is_watched (int number); /* any */
/* any; false: nobody does. */
bool bbp_signal_stand_in (int number, int flags, struct sigaction *);
/* fatal.c */
void bbp_on_fatal (int number, siginfo_t *, void *context); /* signal */
void bbp_dump_before_abort (void);                          /* the same */

/* front.c: a handler in front of the program's */
struct bbp_front {
  uintptr_t handler; /* the program's */
  bool once;         /* good for one time */
  bool restarts;     /* SA_RESTART */
  /* The signal of ticks, which is blocked meanwhile; 0: none is, which the program does not see
     (altstack.c). */
  int spared;
};
void bbp_front_set (int number, const struct bbp_front *); /* any */
struct bbp_front bbp_front_get (int number);               /* any */
/* signal; arch/.../in_front.S. */
void bbp_front (int, siginfo_t *, void *context);
bool bbp_has_map (uintptr_t pc); /* any: between the begin and the end of all code with a map */
/* signal: where the program was interrupted. */
uintptr_t bbp_program_pc (const void *context);

/* altstack.c: the program has a stack for its handlers that has no room for ticks; any */
extern bool bbp_altstack_small;

/* sigaction.c: what the program sees instead */
void bbp_signals_spare (void);   /* any: handlers on small stacks, from now on */
void bbp_sigaction_start (void); /* cold */
/* What the program's sigaction does; any. */
int bbp_sigaction (int, const struct sigaction *, struct sigaction *);
/* itimer.c: likewise. */
int bbp_setitimer (int which, const struct itimerval *, struct itimerval *);
void bbp_sigaction_stop (void);       /* cold: all is as the program set it */
bool bbp_signal_adopt (int number);   /* any; false: the program handles it, or ignores it */
bool bbp_signal_is_free (int number); /* any: the program leaves it to the default */
/* signal: to the program's handler; false: it has none. */
bool bbp_signal_forward (int number, siginfo_t *, void *context);

#pragma GCC visibility pop

#endif
