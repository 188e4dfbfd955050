/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The description of a subcommand of bbprof.  The parser of options, --help and the completions of
   shells are all made from these tables. */
#ifndef BBPROF_COMMAND_H
#define BBPROF_COMMAND_H

#include <stdbool.h>

#include "common/error.h"

enum command_result {
  COMMAND_DONE,
  COMMAND_FAILED, /* bad data: the error says what */
  COMMAND_USAGE,  /* wrong command line: a line on stderr said what */
  COMMAND_NO,     /* the answer is no: it has been printed */
  COMMAND_UNSURE, /* the answer is unknown: the error says why */
};

/* Exit statuses of all commands.  Those that run a program end as the program does. */
enum exit_status {
  STATUS_DONE = 0,
  STATUS_FAILED = 1, /* also: the answer is no */
  STATUS_USAGE = 2,  /* also: the answer is unknown; the program cannot be sampled */
  STATUS_NOT_EXECUTABLE = 126,
  STATUS_NOT_FOUND = 127,
};

/* The parts of the list of commands. */
enum command_group {
  GROUP_RECORD,
  GROUP_LOOK,
  GROUP_COMPARE,
  GROUP_TRACE,
  GROUP_OTHER,
  GROUPS,
};

/* The words that completions offer outside of options. */
enum command_operands {
  OPERANDS_FILES,
  OPERANDS_PROGRAM,  /* a program, then its own arguments */
  OPERANDS_WORDS,    /* the words of the command's field WORDS */
  OPERANDS_COMMANDS, /* names of commands */
  OPERANDS_NONE,
};

struct command_option {
  int key;             /* what options_next returns; a letter is the short option, too */
  const char *name;    /* --NAME; null: the end of the table */
  const char *value;   /* its name in --help, in brackets if it is optional; null: it takes none */
  const char *help;    /* null: an old or internal option that is not shown */
  const char *choices; /* the words that it takes, with blanks between; null: any */
};

struct command {
  const char *name;
  const char *summary; /* for the list of commands */
  enum command_group group;
  /* For --help.  Lines that begin with a blank are printed as they are; others are filled. */
  const char *synopsis;                 /* without "bbprof NAME", a line for each form */
  const char *description;              /* above the options */
  const char *notes;                    /* below them; null: none */
  const struct command_option *options; /* beside -h, --help; null: none */
  bool prints_page; /* -o, --output=FILE (OUTPUT_OPTION) takes the place of standard output */
  enum command_operands operands;
  const char *words; /* with blanks between */
  /* ARGV[0] is "bbprof NAME". */
  enum command_result (*run) (int argc, char **argv, struct error *);
};

extern const struct command command_annotate, command_blocks, command_check, command_completion,
    command_control, command_diff, command_doctor, command_env, command_export, command_gprof,
    command_help, command_historic, command_html, command_jumps, command_merge, command_record,
    command_recover, command_replay, command_report, command_run, command_score, command_symbols,
    command_timeline, command_top, command_trace;

#endif
