/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A subcommand of bbprof. */
#ifndef BBPROF_COMMAND_H
#define BBPROF_COMMAND_H

#include "common/error.h"

enum command_result {
  COMMAND_DONE,
  COMMAND_FAILED, /* bad data: the error says what */
  COMMAND_USAGE,  /* wrong command line: a line on stderr said what */
  COMMAND_NO,     /* what was asked is not so: it has been said */
  COMMAND_UNSURE, /* what was asked cannot be told: the error says why */
};

struct command {
  const char *name;
  const char *help; /* one line */
  /* ARGV[0] is the name of the command. */
  enum command_result (*run) (int argc, char **argv, struct error *);
};

extern const struct command command_annotate, command_blocks, command_check, command_control,
    command_diff, command_doctor, command_historic, command_jumps, command_merge, command_record,
    command_recover, command_replay, command_report, command_run, command_score, command_symbols,
    command_timeline, command_top, command_trace;

#endif
