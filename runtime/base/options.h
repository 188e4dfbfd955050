/* SPDX-License-Identifier: MIT */
/* What the user chose. */
#ifndef BBP_OPTIONS_H
#define BBP_OPTIONS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* options.c: what BBPROF_OPTIONS says.  Read once, in the cold; only read afterwards. */
#define BBP_OPTION_TEXT 1024
enum bbp_said { BBP_UNSAID, BBP_NO, BBP_YES };
struct bbp_options {
  char output[BBP_OPTION_TEXT]; /* name of the profile, with patterns; empty: the default */
  bool live;                    /* count in a file mapping */
  unsigned checkpoint;          /* seconds; 0: none */
  unsigned min_cpu;             /* milliseconds of CPU time without which there is no profile */
  bool fatal_signals;           /* dump when a signal's default action ends the process */
  bool start;                   /* count from the start; else when told to */
  bool control;                 /* listen to `bbprof control' */
  uint64_t window;              /* so many blocks of each thread; 0: all */
  bool overflow_drop;           /* what the writer cannot keep up with; else wait */
  uint64_t trace_memory;        /* bytes shared with the writer */
  /* Threads count only where they say so: BBPROF_SCOPE, bbprof_thread. */
  bool scope;
  /* Of code with trace points; what is not said here, bb.in may say (selectors.c). */
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

#pragma GCC visibility pop

#endif
