/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof run: record and report in one. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>

#include "tools/program/profile_program.h"
#include "tools/record/record.h"

static void
usage (void)
{
  fputs ("Usage: bbprof run [option...] [--] PROGRAM [argument...]\n"
         "Runs PROGRAM as bbprof record does, and shows what bbprof report says of it.  The "
         "profile is kept.\n"
         "\n",
         stdout);
  record_print_options ();
  fputs ("\nStatus: as of bbprof record.\n", stdout);
}

static void
report (const struct record_options *o)
{
  static char name[] = "bbprof report";
  struct error err;
  char *file = profile_program (o->output, &err);
  char *argv[] = { name, file ? file : o->argv[0], (char *) o->output, NULL };
  optind = 0;
  if (command_report.run (3, argv, &err) == COMMAND_FAILED)
    error_print (name, &err);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  return record_command (argc, argv, usage, report, err);
}

const struct command command_run
    = { .name = "run", .help = "run any program, and report on it at once", .run = run };
