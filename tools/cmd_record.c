/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof record: runs any program, and samples it. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "record.h"

static void
usage (void)
{
  fputs ("Usage: bbprof record [option...] [--] PROGRAM [argument...]\n"
         "Runs PROGRAM, as it is, and samples where each of its threads spends time and who has called it there, in all its libraries\n"
         "and in the kernel.  Output, input, signals and exit status are PROGRAM's.  The profile is for bbprof report, bbprof-gprof and\n"
         "GNU gprof.\n"
         "\n",
         stdout);
  record_print_options ();
  fputs ("\nStatus: PROGRAM's; 127: it is not there; 126: it cannot be run; 2: it can be run, but not be sampled; 1: something else.\n",
         stdout);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct record_options o;
  int status;
  bool profile;
  if (!record_parse (&o, argc, argv))
    return COMMAND_USAGE;
  if (o.help)
    {
      usage ();
      return COMMAND_DONE;
    }
  if (record_all (&o, &status, &profile, err) == COMMAND_DONE)
    record_leave (status);
  error_print (argv[0], err);
  exit (status);
}

const struct command command_record = { .name = "record", .help = "run any program, and sample it", .run = run };
