/* SPDX-License-Identifier: MIT */
/* The options, as parsed from BBPROF_OPTIONS. */
#ifndef BBP_OPTIONS_H
#define BBP_OPTIONS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* options.c: read once, at the start (cold); afterwards only sampling_api.c changes them. */
#define BBP_OPTION_TEXT 1024
enum bbp_said { BBP_UNSAID, BBP_NO, BBP_YES };
struct bbp_options {
  char output[BBP_OPTION_TEXT]; /* name of the profile, with %-letters; empty: the default */
  bool live;                    /* count in a live file, which survives kill -9 */
  unsigned checkpoint;          /* seconds between dumps; 0: none */
  unsigned keep;                /* dumps with their own files that stay; 0: all */
  unsigned min_cpu;             /* milliseconds; processes with less CPU time leave no profile */
  bool fatal_signals;           /* dump when a signal's default action ends the process */
  bool start;                   /* count from the start; else when told to (bbprof_start) */
  bool control;                 /* listen to `bbprof control' */
  uint64_t window;              /* trace: keep only the last N blocks of each thread; 0: all */
  bool overflow_drop;           /* drop what the writer cannot keep up with; else wait */
  uint64_t trace_memory;        /* bytes of memory shared with the writer */
  /* Threads count only in scopes that the program marks: BBPROF_SCOPE, bbprof_thread. */
  bool scope;
  /* For code with trace points; what is not set here, bb.in may set (selectors.c). */
  enum bbp_said trace;             /* record control flow */
  enum bbp_said jumps;             /* count jumps between blocks */
  enum bbp_said hidecall, showret; /* variants of jumps */
  /* itimer, thread, ticker, perf, auto; empty: itimer, as in gprof. */
  char sampler[BBP_OPTION_TEXT];
  bool wall;                 /* sample wall time; else CPU time */
  unsigned rate;             /* ticks a second; 0: the kernel's, or the sampler's default */
  bool stacks;               /* record the call stack of each sample */
  bool times;                /* record the time of each sample, in a file of its own */
  char raw[BBP_OPTION_TEXT]; /* file of sampled addresses; empty: none; the name is as in OUTPUT */
  unsigned timeline;         /* record in that file which thread ran when: enum bbs_timeline */
  /* ticker: do not wait for this tick's samples before the next tick. */
  bool periodic;
  bool weighted;   /* ticker: weight samples by the CPU time that has passed */
  unsigned signal; /* signal of the ticks; 0: chosen automatically */
  /* Only these threads are sampled: tids, names or patterns, separated by commas; empty: all. */
  char threads[BBP_OPTION_TEXT];
  /* Start in any program, without instrumented code. */
  bool record;
  /* Path of bbprof-writer; empty: the installed one. */
  char writer[BBP_OPTION_TEXT];
  bool children;     /* record child processes, too */
  unsigned recorder; /* pid of bbprof record; 0: none */
  /* How many programs process PROCESS executed before this one; 0: the one that bbprof record
     started. */
  unsigned process, image;
  /* MPI: name of the sum of all ranks' profiles, with %-letters; empty: as OUTPUT; "none". */
  char sum[BBP_OPTION_TEXT];
  bool keep_ranks;               /* the ranks' own profiles stay beside it */
  char command[BBP_OPTION_TEXT]; /* the program bbprof, which adds them up; empty: the installed */
  bool historic;                 /* also write bb.out and bbtrace.gz */
  /* Selection of functions, or @ and the name of a file; empty: bb.in. */
  char select[BBP_OPTION_TEXT];
};
extern struct bbp_options bbp_options;
void bbp_options_read (void);
void bbp_options_forgo_samples (void); /* cold, later: sample with the process timer only */
/* The length of bbprof record's part of VALUE: the bytes before "::", or all; 0: it lacks
   record=1. */
size_t bbp_options_of_record (const char *value);

#pragma GCC visibility pop

#endif
