/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof record: runs any program, and samples it. */
#include "config.h"

#include <stdio.h>

#include "tools/record/record.h"

static enum command_result
run (int argc, char **argv, struct error *err)
{
  return record_command (&command_record, argc, argv, NULL, err);
}

const struct command command_record = {
  .name = "record",
  .summary = "run any program and sample it",
  .group = GROUP_RECORD,
  .synopsis = "[option...] [--] PROGRAM [argument...] | -p PID[,PID...] [option...]",
  .description
  = "Runs PROGRAM unchanged and samples where each of its threads spends time, with call stacks, "
    "in all its libraries and in the kernel.  Output, input, signals and exit status are "
    "PROGRAM's.  With -p: samples processes that run already, from outside.  bbprof report, "
    "bbprof-gprof and GNU gprof read the profile.",
  .notes = "Exit status: PROGRAM's; 127 if PROGRAM is not found; 126 if it cannot be run; 2 if it "
           "cannot be sampled; 1 for any other error.",
  .options = record_option_table,
  .operands = OPERANDS_PROGRAM,
  .run = run,
};
