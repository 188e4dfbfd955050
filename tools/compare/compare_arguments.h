/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of `bbprof diff', `bbprof check' and `bbprof html --diff': programs
   and profiles of two run sets. */
#ifndef BBPROF_COMPARE_ARGUMENTS_H
#define BBPROF_COMPARE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/arguments/source_option.h"

struct compare_arguments {
  /* Operands, except the operands of --old and --new. */
  char **words;
  int nwords;
  char **before, **now; /* operands of --old and --new */
  int nbefore, nnow;
  size_t most;                                                     /* -n */
  const char *filter, *object, *threshold, *budget, *junit, *save; /* null: not given */
  const char *colour;                                              /* when; null: not given */
  size_t sort;                                                     /* enum metric */
  size_t runs;                                                     /* --runs; 0: not given */
  /* With --runs: the command behind --, terminated by null; null: none. */
  char **command;
  const char *output, *of_threads; /* of html; null: not given */
  struct source_places places;     /* of html */
  size_t frames, source;           /* of html: enum frames_shown, enum html_source */
  bool json, strict, force, no_pager, diff, no_inlines, open;
};

/* Options of diff and check, beside the shared ones (command_options.h).  A command may also have
   those of arguments.h: their keys differ. */
enum compare_key {
  COMPARE_OLD = OPTION_OWN + 100,
  COMPARE_NEW,
  COMPARE_BUDGET,
  COMPARE_DIFF,
  COMPARE_JUNIT,
  COMPARE_RUNS,
  COMPARE_SAVE,
  COMPARE_STRICT,
  COMPARE_THRESHOLD
};

#define RUN_SET_OPTIONS                                                                     \
  { COMPARE_OLD, "old", NULL, "the program and profiles of the old run set follow", NULL }, \
  {                                                                                         \
    COMPARE_NEW, "new", NULL, "the program and profiles of the new run set follow", NULL    \
  }

/* Reads the options of COMMAND's table and the operands.  False: a line on stderr says what is
   wrong.  Call compare_arguments_free in both cases. */
bool compare_arguments_parse (struct compare_arguments *, const struct command *command, int argc,
                              char **argv);
/* Both run sets get their words; of PROGRAM OLD NEW, each gets two.  COMMAND_USAGE: a line on
   stderr, from NAME, says what is wrong; COMMAND_FAILED: ERR says it. */
enum command_result compare_arguments_sides (struct compare_arguments *, const char *name,
                                             struct error *err);
void compare_arguments_free (struct compare_arguments *);

#endif
