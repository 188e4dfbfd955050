/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of `bbprof diff' and `bbprof check': two sides. */
#ifndef BBPROF_COMPARE_ARGUMENTS_H
#define BBPROF_COMPARE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct compare_arguments {
  /* On the command line outside of options, but for those of --old and --new. */
  char **words;
  int nwords;
  char **before, **now; /* behind --old and --new */
  int nbefore, nnow;
  size_t most;                                                   /* -n */
  const char *filter, *threshold, *sort, *budget, *junit, *save; /* null: not said */
  const char *colour;                                            /* when; null: not said */
  size_t runs;                                                   /* --runs; 0: not said */
  /* With --runs: what is behind --, with a null at the end; null: nothing is. */
  char **command;
  bool json, strict, force;
  bool help; /* the rest is not set */
};

/* TAKES: letters of the options that the command has beside --old, --new, --json, --force and
   --help, of n (number), f (filter), t (threshold), s (sort), c (color), b (budget), u (junit),
   w (save), r (runs), S (strict).  False: wrong, a line on stderr says why.
   compare_arguments_free is right in both cases. */
bool compare_arguments_parse (struct compare_arguments *, const char *takes, int argc, char **argv);
void compare_arguments_free (struct compare_arguments *);

#endif
