/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of `bbprof diff' and `bbprof check': programs and profiles of two run sets. */
#ifndef BBPROF_COMPARE_ARGUMENTS_H
#define BBPROF_COMPARE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct compare_arguments {
  /* Operands, but for those of --old and --new. */
  char **words;
  int nwords;
  char **before, **now; /* operands of --old and --new */
  int nbefore, nnow;
  size_t most;                                                   /* -n */
  const char *filter, *threshold, *sort, *budget, *junit, *save; /* null: not given */
  const char *colour;                                            /* of --color; null: not given */
  size_t runs;                                                   /* of --runs; 0: not given */
  /* With --runs: the command behind --, terminated by null; null: none. */
  char **command;
  bool json, strict, force;
  bool help; /* the other members are not set */
};

/* TAKES: letters of the options that the command accepts in addition to --old, --new, --json,
   --force and --help: n (number), f (filter), t (threshold), s (sort), c (color), b (budget), u
   (junit), w (save), r (runs), S (strict).  False: an error, reported on stderr.
   compare_arguments_free is right in both cases. */
bool compare_arguments_parse (struct compare_arguments *, const char *takes, int argc, char **argv);
void compare_arguments_free (struct compare_arguments *);

#endif
