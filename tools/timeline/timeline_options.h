/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bbprof timeline. */
#ifndef BBPROF_TIMELINE_OPTIONS_H
#define BBPROF_TIMELINE_OPTIONS_H

#include "tools/command.h"
#include "tools/timeline/timeline_view.h"

enum timeline_form {
  TIMELINE_TEXT,
  TIMELINE_SVG,
  TIMELINE_HTML,
  TIMELINE_CHROME,
  TIMELINE_JSON,
  TIMELINE_FORMS
};

struct timeline_options {
  struct timeline_choice choice;
  bool by_cpu, ascii, no_pager, force;
  unsigned forms;                    /* a bit for each that is asked for */
  const char *files[TIMELINE_FORMS]; /* null: standard output */
  const char *output, *color;
  size_t most;    /* rows of text; 0: all */
  size_t columns; /* 0: as the terminal has */
  const char *program, *profile;
  /* Of a program that is to be recorded, up to the end of the command line; null: none is. */
  char **argv;
  char *pids, *seconds; /* of processes that are to be recorded, and for how long; or null */
};

extern const struct command_option timeline_option_table[];

/* Reads the command line of COMMAND, which has these options.  False: a line on stderr says what
   is wrong. */
bool timeline_options_parse (struct timeline_options *, const struct command *command, int argc,
                             char **argv);

#endif
