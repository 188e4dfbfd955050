/* SPDX-License-Identifier: MIT */
/* The functions by which a program may control the profiler that runs in it, for C and C++.

   All are optional: a profiled program needs no call.  Any thread may call any of them at any
   time, also before main and in signal handlers, unless the function says otherwise.  The
   exception is a handler that interrupts dlopen or dlclose.  No function changes errno.

   A program that is also built without the profiler defines BBPROF_OPTIONAL before it includes
   this header.  The functions are weak then, and the program tests for each before it calls it:
   if (bbprof_dump) bbprof_dump (); BBPROF_SCOPE does nothing where they are missing.  With
   clang, or without -pg, nothing else has to change. */
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

/* Stop counting calls, blocks and samples in the whole process; start again.  Counts made so far
   stay.

   For the calling thread both take effect when the function returns, from the next basic block
   on.  Another thread stops when it next fetches the pointer to its counters, at the latest at
   its next call.  Exception: if the program had created 32 thread-specific keys
   (pthread_key_create) before its first profiled call, other threads count until they stop
   themselves.  Threads, libraries and child processes that begin meanwhile are stopped as well.

   Calls do not nest: one start ends any number of stops.  No effect after _mcleanup. */
void bbprof_stop (void) BBPROF_FUNCTION;
void bbprof_start (void) BBPROF_FUNCTION;

/* Stop (0) or start (1) counting in the calling thread alone; returns the previous setting.  A
   thread counts while both its own setting and that of the process say so.  A new thread counts,
   unless BBPROF_OPTIONS has scope=1.  Takes effect at once, as above.  Costs some microseconds
   if it changes the setting, nanoseconds if not. */
int bbprof_thread (int on) BBPROF_FUNCTION;

/* Discard all counts made so far: the profile begins from zero.  Returns 0, or -ENOMEM: then
   some of the old counts may remain.  A count that another thread makes during the call may
   belong to either side. */
int bbprof_reset (void) BBPROF_FUNCTION;

/* Write the profile now and continue.  It contains all that was counted since the start or the
   last reset.  The end of the process overwrites the file, unless its name contains %n
   (BBPROF_OPTIONS=output=NAME): then each dump has its own file.  Returns 0; -EINVAL: no profile
   is running (after _mcleanup); or the error of the system, for example -ENOSPC, which is also
   printed on stderr, once. */
int bbprof_dump (void) BBPROF_FUNCTION;

/* Pass the bytes of gmon.out to WRITER instead of writing a file: for programs without a file
   system, or that store profiles elsewhere.  The sidecar (gmon.out.bbx, with the names of
   libraries) is not included.  WRITER gets the bytes in order, in one or more calls, and returns
   how many of the N bytes it took.  It may call any function, also those of this library.
   Returns 0; -EINVAL as above; -ENOMEM; -EIO: WRITER took fewer bytes than it was given, and is
   not called again. */
int bbprof_write (long (*writer) (void *context, const void *bytes, size_t n),
                  void *context) BBPROF_FUNCTION;

/* Count in this thread from here to the end of the enclosing braces, however control leaves
   them, except by longjmp.  Then the previous setting applies again.  Scopes nest.  A scope
   matters only where the thread would not count otherwise: with BBPROF_OPTIONS=scope=1 no thread
   would, after bbprof_thread (0) the calling one would not.
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

/* Sample time from here on, in all threads, including those that exist already.

   WISH says how, and may be null.  For a field that is zero BBPROF_OPTIONS decides, or else the
   default given at the field.  If no profile is running, one begins, and is written at the end.
   Earlier samples are discarded if they had another sampler, clock, rate or choice of threads.
   Not to be called in a signal handler.  Returns 0, or
     -EBUSY     bbprof record started the program and decides; or a previous call is still in force
                (bbprof_sampling_stop ends it)
     -EINVAL    WISH is invalid: an unknown clock, or a rate above 1,000,000; or no profile can run,
                after _mcleanup
     -ENOTSUP   there is no such sampler, it does not support that clock, or it cannot be used here;
                for "auto": no sampler can be used
     -ENOMEM    no memory to discard the earlier samples, which may be among the new ones
   After the first three errors the previous sampling continues.  WISH->message gives the reason. */
struct bbprof_sampling {
  /* "thread", "perf", "ticker", "itimer" (bbprof-record(1)).  Default: "auto", the best one for
     clock and rate. */
  const char *sampler;
  /* BBPROF_CPU_TIME: time on a processor; BBPROF_WALL_TIME: elapsed time. */
  int clock;
  unsigned rate; /* samples a second in each thread; default: the rate of the kernel tick */
  /* sample only these: ids, names, patterns, separated by commas; default: all */
  const char *threads;
  int stacks; /* 1: record the call stack of each sample, from now on; default: 0 */
  /* Results.  Strings may be empty. */
  char runs[16];      /* the sampler that runs */
  int runs_clock;     /* the clock that it uses */
  unsigned runs_rate; /* the rate that it promises, which may be lower than requested */
  char message[256];  /* what differs from the request, and why; one line */
};
enum { BBPROF_CPU_TIME = 1, BBPROF_WALL_TIME = 2 };
int bbprof_sampling_start (struct bbprof_sampling *wish) BBPROF_FUNCTION;

/* Stop sampling until the next bbprof_sampling_start; bbprof_stop and bbprof_start do not change
   that.  Returns 0; -EINVAL: bbprof_sampling_start has not started any. */
int bbprof_sampling_stop (void) BBPROF_FUNCTION;

/* Set a marker in the timeline (bbprof record --timeline, bbprof timeline): this thread was here
   at this moment.  The first 47 bytes of TEXT are kept.  Costs three system calls, none of which
   waits; nothing without a timeline. */
void bbprof_mark (const char *text) BBPROF_FUNCTION;

/* The current state of a thread, for a display of the program's own.  Needs neither a profile
   nor another process.  Totals begin with the thread; for rates take the difference of two
   snapshots. */
struct bbprof_thread_row {
  int tid;
  int cpu; /* current or last processor; -1: unknown */
  /* R: running, or ready; S: sleeping; D: sleeping, cannot be woken by signals; T: stopped; Z:
     the main thread has ended before others. */
  char state;
  char name[16];
  unsigned long time; /* of this row: CLOCK_MONOTONIC, nanoseconds */
  /* nanoseconds: on a processor, until now; ready, until it last got a processor */
  unsigned long run, wait;
  unsigned long voluntary, involuntary; /* context switches: it went to sleep; it was preempted */
};
/* Fill up to N ROWS, by ascending tid.  Returns the number of threads, which may exceed N, or
   -errno.  Costs about 20 us a thread. */
int bbprof_monitor_snapshot (struct bbprof_thread_row *rows, int n) BBPROF_FUNCTION;

/* The last intervals of each thread: when it was running, ready or sleeping, and for what; for a
   display of the program's own.  Needs no profile, no other process, and no root. */
struct bbprof_interval {
  unsigned long begin, end; /* CLOCK_MONOTONIC, nanoseconds */
  int state;                /* BBPROF_RUNNING ... */
  int cpu;                  /* of a running thread; -1: unknown */
  int by;                   /* BBPROF_BY_EVENTS, BBPROF_BY_POLLS */
  int lasts;                /* 1: END is not its end, but the time up to which it is known */
  const char *why; /* what a sleeping thread waits for: "lock", "condition", "sleep" (a time),
                               "poll", "pipe", "disk", "child", "signal", "fault", "stopped",
                               "other"; "unknown" */
};
/* READY: preempted, or just created, and waiting for a processor.  A thread that is woken up is
   sleeping until it gets one (struct bbprof_thread_row has the sum of such waits).  UNKNOWN:
   before its first switch, or records were lost. */
enum { BBPROF_UNKNOWN, BBPROF_RUNNING, BBPROF_READY, BBPROF_SLEEPING };
/* EVENTS: the kernel's record of each switch.  POLLS: of /proc, in each call of
   bbprof_intervals, at most every millisecond; what lies between two polls is known by its sums,
   but not by its order. */
enum { BBPROF_BY_EVENTS = 1, BBPROF_BY_POLLS = 2 };
/* Begin to observe all threads, later ones too.  KEEP: intervals of each thread to keep, of 40
   bytes, at most 1,048,576; 0: 256.  BY: 0: events, or polls where the kernel refuses those.  Costs
   about 40 us for each thread, and memory that cannot be swapped: 132 KB for each processor, and
   20 KB for each of them and each other thread that runs already; so call it early.  From then on
   each switch takes 0.25 us longer.  No descriptor stays open.  Not to be called in a signal
   handler.  Returns BBPROF_BY_EVENTS or BBPROF_BY_POLLS, or
     -EBUSY     it has begun already
     -EINVAL    KEEP or BY is invalid
     -ENOMEM
     and, if BY is BBPROF_BY_EVENTS, the kernel's reason, for example -EACCES
   A child that is forked observes nothing until it calls this itself. */
int bbprof_intervals_start (int keep, int by) BBPROF_FUNCTION;
/* Fill the last intervals of thread TID (0: the calling one), at most N, the oldest first; each
   begins where the one before it ends.  They are known until a millisecond ago.  Also of the
   last 64 threads that have ended.  Each call takes the kernel's records of all threads, which
   has to happen before its buffers are full: after about 5,000 switches of a processor.  Later
   ones are lost, and the states of all threads are unknown until their next switch.  WHY is
   known of sleeps during which this was called for the thread, in later calls.  Costs about 1
   us, and 0.25 us for each switch since the last call; by polls, 20 us for each thread, once in
   a millisecond.  Returns their number; -EINVAL: not begun; -ESRCH: no such thread. */
int bbprof_intervals (int tid, struct bbprof_interval *intervals, int n) BBPROF_FUNCTION;
/* End it.  Returns 0; -EINVAL: not begun. */
int bbprof_intervals_stop (void) BBPROF_FUNCTION;

/* One sample, for a display of the program's own, or for users of a sampler who need more than
   totals. */
struct bbprof_sample {
  unsigned long time;    /* CLOCK_MONOTONIC, nanoseconds */
  unsigned long address; /* the program counter; in a system call: where the program continues */
  int tid;               /* thread */
  int in_kernel;         /* 1: in a system call; 0: in the program's code */
  /* The flags register saved by the interrupt: on x86-64 the lower half of RFLAGS. */
  unsigned flags;
  unsigned ticks; /* number of ticks that the sample stands for */
  unsigned lost;  /* number of samples lost just before this one, for want of room */
};
/* Fetch up to N SAMPLES that were taken since the previous call, the oldest first.  Returns
   their number; -EINVAL: no profile is running; or -ENOMEM.  The first call only starts the
   collection, and returns 0.  At most 16,384 samples are kept; later ones are lost until some
   are fetched. */
int bbprof_samples (struct bbprof_sample *samples, int n) BBPROF_FUNCTION;

/* Languages.  An interpreter, or an extension of it, says which functions of its language a thread
   executes.  Stacks (bbprof record, or stacks=1) then have their frames among those of the
   interpreter's own functions. */

/* A native frame of a stack. */
struct bbprof_native {
  unsigned long address; /* of the next instruction in it */
  unsigned long stack;   /* the stack pointer: what the frame has on the stack is not below */
};

/* A frame of the language. */
struct bbprof_frame {
  /* The interpreter's number of the function, below 2^56 - 1; not 0.  Never used for another
     function. */
  unsigned long function;
  /* Where in the function: a line, an offset, what DESCRIBE understands. */
  unsigned position;
  /* Some address in the native frame that executes it, like that of a local variable; null: not
     known. */
  const void *stack;
};

/* The stack of the calling thread, which a signal has interrupted. */
struct bbprof_stack {
  const void *context;                /* the third argument of the signal's handler */
  const struct bbprof_native *native; /* its N_NATIVE frames, the innermost first */
  int n_native;
  struct bbprof_frame *frames; /* room for ROOM frames of the language */
  int room;
  /* Results, 0 at first: the number of frames that the thread has, of which the innermost ones are
     in FRAMES, the innermost first; 1: the interpreter collects garbage; 1: the frames cannot be
     read now, and bbprof_language_late will follow in this thread. */
  int n, collects, late;
};

struct bbprof_function {
  const char *name, *file; /* valid until the next call; null or empty: unknown */
  unsigned first_line;     /* of the function; 0: unknown */
  unsigned line;           /* of the position; 0: unknown */
};

struct bbprof_language {
  const char *name; /* at most 15 bytes */
  /* The interpreter's code.  Frames without a stack address are shown beneath the outermost native
     frame in it.  0: unknown; then they are shown beneath all native frames. */
  const void *code;
  unsigned long code_bytes;
  /* Called at each sample, in a handler of the interrupted thread, which may be in any function of
     the interpreter, or in a thread that executes nothing of the language.  So it may only read,
     and only what is consistent at any moment; it must not wait, allocate or call libc. */
  void (*frames) (struct bbprof_stack *);
  /* Called when the profile is written, perhaps after the interpreter's end, in any thread; calls
     nothing of this library.  Returns 1, or 0: there is no such function. */
  int (*describe) (unsigned long function, unsigned position, struct bbprof_function *);
};

/* Register LANGUAGE, which must stay valid, with its functions, until the process ends.  The same
   name again replaces it.  Returns 0; -EINVAL: the name is empty or too long, or a function is
   missing; -ENOSPC: there are seven languages already; -ENOMEM. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* in C++: it has the name of its argument's type */
#endif
int bbprof_language (const struct bbprof_language *language) BBPROF_FUNCTION;
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

/* The frames of the calling thread, the innermost first, for those of its samples that were LATE.
   N may exceed the 1024 that are kept, which are all that is read.  Called where the interpreter is
   in a consistent state; costs nothing if there is no such sample.  How late they came is
   measured. */
void bbprof_language_late (const struct bbprof_language *language,
                           const struct bbprof_frame *frames, int n) BBPROF_FUNCTION;
/* Counts of functions so far, for a display of the program's own.  A function is found once,
   by its name or by an address in it, and then known by a number above 0, which stays valid while
   the process lives, also when the function's library is unloaded, and in a forked child.  When a
   library is loaded again that was compiled with -pg alone, the next call of one of these notices
   that.

   NAME is the linker's: in C++ it is mangled.  The executable is searched first, then libraries in
   the order in which they were loaded.  Both read the symbols in the file of each object that they
   search; that costs about 2 ms for a megabyte of symbols.  Not to be called in a signal
   handler.  They return the number, or
     -EINVAL    no profile is running
     -ENOENT    there is no such function in the loaded objects; no known function at ADDRESS (in a
                stripped static program none is known)
     -ENODATA   there is none, but the executable, or a library that is counted, is stripped, or
                its file was replaced
     -ENOTUNIQ  an object has several static functions of that name
     -ENOMEM */
int bbprof_function_find (const char *name) BBPROF_FUNCTION;
int bbprof_function_at (const void *address) BBPROF_FUNCTION;

/* The totals of one function, of all threads, since the start or the last reset. */
struct bbprof_counts {
  const char *name;      /* "": it has no symbol; valid while the process lives */
  unsigned long address; /* where its code begins; 0: its library is unloaded */
  unsigned long bytes;   /* size of its code, without the parts that have names of their own */
  unsigned long calls, executions; /* how often it was called; how often its code was entered */
  unsigned long samples;           /* ticks in its own code */
  unsigned long time;              /* nanoseconds; estimated from the samples, as in the profile */
  unsigned known;                  /* which of these are counted; the others are 0 */
};
/* CALLS: it was compiled with -pg; EXECUTIONS: with the plugin; TIME: the process is sampled. */
enum { BBPROF_CALLS = 1, BBPROF_EXECUTIONS = 2, BBPROF_TIME = 4 };
/* Fill N COUNTS, one for each of the FUNCTIONS.  No thread is stopped.  A call or execution that
   has begun during the reading may be missing, and an execution of a function whose entry has no
   counter counts when it has passed one, at the latest when it ends.  Calls and executions never
   decrease, but by a reset, and are exact once no thread runs the function.  Costs 3 us and, with
   100 threads, 1 us for each function; 1.5 us for each thread where calls are counted by mcount
   (-pg alone).  Returns 0; -EINVAL: no profile is running, or there is no
   such function. */
int bbprof_function_counts (const int *functions, struct bbprof_counts *counts,
                            int n) BBPROF_FUNCTION;

/* The functions that C libraries have offered since 4.2BSD; programs written for them work
   unchanged. */

/* 0: bbprof_stop; else: bbprof_start. */
void moncontrol (int on) BBPROF_FUNCTION;

/* Profile the addresses from LOW to HIGH, from zero.  Ignored while a profile is running; the
   start-up file of gcc -pg starts one before main. */
void monstartup (unsigned long low, unsigned long high) BBPROF_FUNCTION;

/* Write gmon.out now and stop.  A later monstartup begins from zero, and its end overwrites the
   file. */
void _mcleanup (void) BBPROF_FUNCTION;

/* bbprof_dump, if anything was counted since the last dump. */
void write_profiling (void) BBPROF_FUNCTION;

#ifdef __cplusplus
}
#endif

#endif
