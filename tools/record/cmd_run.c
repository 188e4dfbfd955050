/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof run: record and report in one. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/program/profile_program.h"
#include "tools/record/record.h"

static void
usage (void)
{
  fputs ("Usage: bbprof run [option...] [--] PROGRAM [argument...]\n"
         "Runs PROGRAM as bbprof record does, then shows what bbprof report shows: on a terminal\n"
         "below a rule, else on standard error, so that PROGRAM's output stays its own.  The\n"
         "profile is kept.\n"
         "\n",
         stdout);
  record_print_options ();
  fputs ("\nStatus: as of bbprof record.\n", stdout);
}

/* Keeps the report apart from what the program printed: on a terminal by a rule, else on standard
   error, because standard output is the program's. */
static void
set_report_apart (void)
{
  fflush (stdout);
  if (isatty (STDOUT_FILENO))
    puts ("\n---- bbprof report ----");
  else
    dup2 (STDERR_FILENO, STDOUT_FILENO);
}

static void
report (const struct record_options *o)
{
  static char name[] = "bbprof report";
  struct error err;
  char *file = profile_program (o->output, &err);
  char *argv[] = { name, file ? file : o->argv[0], (char *) o->output, NULL };
  optind = 0;
  set_report_apart ();
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
