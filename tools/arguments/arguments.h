/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line that subcommands share: [option...] [PROGRAM] [gmon.out...]. */
#ifndef BBPROF_ARGUMENTS_H
#define BBPROF_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/arguments/source_option.h"

/* Options that arguments_parse knows, beside the shared ones (command_options.h). */
enum argument_key {
  ARGUMENT_ASCII = OPTION_OWN,
  ARGUMENT_BY,
  ARGUMENT_CALLERS,
  ARGUMENT_COST,
  ARGUMENT_COUNTS,
  ARGUMENT_DEPTH,
  ARGUMENT_EDGES,
  ARGUMENT_EXCLUDE_ABOVE,
  ARGUMENT_FLAME,
  ARGUMENT_FORMAT,
  ARGUMENT_FRAMES,
  ARGUMENT_FULL_NAMES,
  ARGUMENT_GNU,
  ARGUMENT_JUMPS,
  ARGUMENT_MAP,
  ARGUMENT_NO_CALLERS,
  ARGUMENT_NO_FOLD,
  ARGUMENT_NO_INLINES,
  ARGUMENT_OPEN,
  ARGUMENT_PLAIN,
  ARGUMENT_RANKS,
  ARGUMENT_SEQUENCE,
  ARGUMENT_SOURCE,
  ARGUMENT_TRACE,
  ARGUMENT_TREE,
  ARGUMENT_WORDS
};

#define FRAMES_OPTION                                                                   \
  {                                                                                     \
    ARGUMENT_FRAMES, "frames", "WHICH",                                                 \
        "where an interpreter executes a language: both (default), language or native", \
        "both "                                                                         \
        "language native"                                                               \
  }
#define NUMBER_OPTION(rows)                                                  \
  {                                                                          \
    'n', "number", "N", "show at most N " rows " (default 20); 0: all", NULL \
  }

struct arguments {
  const char *program;
  char **profiles;
  int nprofiles;
  size_t most;                         /* -n: rows; SIZE_MAX: all */
  const char *output;                  /* -o, or null */
  const char *cost;                    /* --cost, or null */
  size_t sort;                         /* --sort: the index of the choice; 0: the default */
  size_t format;                       /* --format: the index; SIZE_MAX: not given */
  size_t ranks, by;                    /* --ranks, --by: the index; SIZE_MAX: not given */
  size_t frames;                       /* --frames: enum frames_shown */
  size_t source;                       /* --source: the index; 0: the default */
  const char *trace;                   /* --trace=FILE, or null */
  const char *map;                     /* --map, or null */
  const char *filter, *object, *color; /* --filter, --object, --color, or null */
  size_t callers;                      /* --callers: functions with them; 0: --no-callers */
  bool no_callers;                     /* --no-callers */
  const char *threads;                 /* --threads, or null */
  const char *words;                   /* --words, or null */
  bool tree, flame;                    /* --tree, --flame */
  bool ascii;                          /* --ascii */
  size_t depth;                        /* --depth: calls */
  bool full_names, no_pager;           /* --full-names, --no-pager */
  struct source_places places;         /* -I, --path-map: the caller frees them */
  double exclude_above;                /* --exclude-above, percent; negative: not given */
  bool no_inlines, no_fold, open;      /* --no-inlines, --no-fold, --open */
  bool json;
  bool edges;
  bool counts, jumps, sequence, plain; /* --counts, --jumps, --trace, --plain */
  bool gnu;                            /* --gnu */
  bool force; /* --force: the program may be another build than the one that ran */
};

/* Reads the options of COMMAND's table, PROGRAM and the profiles.  Without names of profiles:
   gmon.out, and for --counts of a command with --words: a.out and prof.out.  Without PROGRAM: the
   one that the sidecar of the first profile names.  COMMAND_USAGE: a line on stderr says what is
   wrong; COMMAND_FAILED: ERR says it. */
enum command_result arguments_parse (struct arguments *, const struct command *command, int argc,
                                     char **argv, struct error *err);

#endif
