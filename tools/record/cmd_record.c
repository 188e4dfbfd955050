/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof record: runs any program, and samples it. */
#include "config.h"

#include <stdio.h>

#include "tools/record/record.h"

static void
usage (void)
{
  fputs ("Usage: bbprof record [option...] [--] PROGRAM [argument...]\n"
         "Runs PROGRAM, as it is, and samples where each of its threads spends time and who has "
         "called it there, in all its libraries\n"
         "and in the kernel.  Output, input, signals and exit status are PROGRAM's.  The profile "
         "is for bbprof report, bbprof-gprof and\n"
         "GNU gprof.\n"
         "\n",
         stdout);
  record_print_options ();
  fputs ("\nStatus: PROGRAM's; 127: it is not there; 126: it cannot be run; 2: it can be run, but "
         "not be sampled; 1: something else.\n",
         stdout);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  return record_command (argc, argv, usage, NULL, err);
}

const struct command command_record
    = { .name = "record", .help = "run any program, and sample it", .run = run };
