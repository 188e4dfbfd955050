/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the options of a command by the command's table (tools/command.h). */
#ifndef BBPROF_COMMAND_OPTIONS_H
#define BBPROF_COMMAND_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "tools/command.h"

enum option_key {
  OPTION_END = -1,    /* no more options */
  OPTION_OPERAND = 1, /* with OPTIONS_AMONG_OPERANDS: a word that is no option */
  OPTION_WRONG = '?', /* a line on stderr has said why */
  /* Options that several commands have, each with the same meaning. */
  OPTION_JSON = 256,
  OPTION_FORCE,
  OPTION_COLOR,
  OPTION_NO_PAGER,
  OPTION_SORT,
  OPTION_FILTER,
  OPTION_OBJECT,
  OPTION_THREADS,
  OPTION_PATH_MAP,
  OPTION_OWN /* the first one of a command's own */
};

#define COLOR_OPTION                                                              \
  {                                                                               \
    OPTION_COLOR, "color", "WHEN",                                                \
        "auto (default: on a terminal, if NO_COLOR is not set), always or never", \
        "auto always never"                                                       \
  }
#define FILTER_OPTION(rows)                                                   \
  {                                                                           \
    OPTION_FILTER, "filter", "PATTERN", "show only " rows " that match", NULL \
  }
#define FORCE_OPTION                                                                           \
  {                                                                                            \
    OPTION_FORCE, "force", NULL,                                                               \
        "accept a profile of another build of PROGRAM; functions and lines may be wrong", NULL \
  }
#define JSON_OPTION                               \
  {                                               \
    OPTION_JSON, "json", NULL, "print JSON", NULL \
  }
#define NO_PAGER_OPTION                                                                \
  {                                                                                    \
    OPTION_NO_PAGER, "no-pager", NULL, "on a terminal, print everything at once", NULL \
  }
#define OBJECT_OPTION(rows)                                                                     \
  {                                                                                             \
    OPTION_OBJECT, "object", "PATTERN", "show only " rows " of matching libraries or programs", \
        NULL                                                                                    \
  }
#define OUTPUT_OPTION                                                       \
  {                                                                         \
    'o', "output", "FILE", "write to FILE instead of standard output", NULL \
  }
#define SOURCE_PLACES_OPTIONS                                                            \
  { 'I', "source-dir", "DIR", "look for the source in DIR; may be repeated", NULL },     \
  {                                                                                      \
    OPTION_PATH_MAP, "path-map", "FROM=TO",                                              \
        "look in TO for source files whose names begin with FROM; may be repeated", NULL \
  }
#define THREADS_OPTION(rows)                                                                       \
  {                                                                                                \
    OPTION_THREADS, "threads", "LIST",                                                             \
        "show only " rows " of these threads: numbers, tids, names or patterns, with commas", NULL \
  }
#define END_OF_OPTIONS        \
  {                           \
    0, NULL, NULL, NULL, NULL \
  }

/* The positions that options may have among the operands. */
enum options_order {
  OPTIONS_ANYWHERE,
  OPTIONS_BEFORE_OPERANDS,
  OPTIONS_AMONG_OPERANDS, /* operands are returned in their order */
};

enum { OPTIONS_MOST = 32 }; /* of a command */

struct options {
  const struct command *command;
  int argc;
  char **argv;
  const struct command_option *option; /* found last */
  const char *value;                   /* of it, or the operand; null: none */
  size_t choice;                       /* the index of VALUE among the option's choices */
  char letters[2 * OPTIONS_MOST + 4];  /* for getopt */
  struct option names[OPTIONS_MOST + 2];
};

void options_begin (struct options *, const struct command *, enum options_order, int argc,
                    char **argv);

/* The key of the next option; getopt's optind counts on.  For --help it prints the help and ends
   the process. */
int options_next (struct options *);

/* Prints to stderr that the value of the last option is not WHAT ("a number").  Always false. */
bool options_refuse (const struct options *, const char *what);

/* A decimal number without sign, from LEAST to MOST. */
bool option_number (const char *text, unsigned long long least, unsigned long long most,
                    unsigned long long *number);

#endif
