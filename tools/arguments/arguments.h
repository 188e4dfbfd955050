/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line that subcommands share: [option...] [PROGRAM] [gmon.out...]. */
#ifndef BBPROF_ARGUMENTS_H
#define BBPROF_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct arguments {
  const char *program;
  char **profiles;
  int nprofiles;
  size_t most;                         /* -n: rows */
  const char *output;                  /* -o, or null */
  const char *cost;                    /* --cost, or null */
  const char *function;                /* --function, or null */
  const char *sort;                    /* --sort, or null */
  const char *trace;                   /* --trace FILE, or null */
  const char *filter, *object, *color; /* --filter, --object, --color, or null */
  size_t callers;                      /* --callers: functions with them; 0: --no-callers */
  bool no_callers;                     /* --no-callers */
  const char *threads;                 /* --threads, or null */
  const char *words;                   /* --words, or null */
  bool tree;                           /* --tree */
  size_t depth;                        /* --depth: calls */
  bool full_names, no_pager;           /* --full-names, --no-pager */
  double exclude_above;                /* --exclude-above, percent; negative: not said */
  bool no_inlines, no_fold;
  bool json;
  bool edges;
  bool counts, jumps, sequence, plain; /* --counts, --jumps, --trace, --plain */
  bool gnu;                            /* --gnu */
  bool force; /* --force: the program may be another build than the one that ran */
  bool help;  /* the rest is not set */
};

/* TAKES: letters of those options that the command has beside --force and --help, of n (number),
   o (output), j (json), e (edges), c (cost), x (exclude-above), f (function), s (sort), t
   (trace), C (counts), J (jumps), T (trace), P (plain), F (filter), O (object), W (callers), N
   (no-callers), K (color), U (full-names), G (no-pager), R (threads), E (tree), D (depth), Z
   (words: then with C there are names for what is left out, a.out and prof.out), g (gnu).
   Without names of profiles: gmon.out.  Without PROGRAM, that of which the first profile is, as
   its sidecar says.  False: wrong, a line on stderr says why. */
bool arguments_parse (struct arguments *, const char *takes, int argc, char **argv);

#endif
