/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof run: record and report in one. */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "tools/program/part.h"
#include "tools/program/profile_program.h"
#include "tools/record/record.h"

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

/* Runs the command ARGV of bbprof. */
static void
show (char **argv)
{
  struct error err;
  fflush (stdout);
  if (!commands_run (argv, &err))
    error_print ("bbprof run", &err);
}

static void
write_page (const struct record_options *o, char *program)
{
  static char bbprof[] = "bbprof", name[] = "html", to[] = "-o", open[] = "--open", end[] = "--";
  char *argv[9] = { bbprof, name };
  int argc = 2;
  if (o->page)
    {
      argv[argc++] = to;
      argv[argc++] = (char *) o->page;
    }
  if (o->open)
    argv[argc++] = open;
  argv[argc++] = end;
  argv[argc++] = program;
  argv[argc++] = (char *) o->output;
  show (argv);
}

static void
report (const struct record_options *o)
{
  static char bbprof[] = "bbprof", name[] = "report", end[] = "--";
  struct error err;
  char *file = profile_program (o->output, &err);
  if (!file && !o->argv)
    {
      error_print ("bbprof report", &err);
      return;
    }
  char *program = file ? file : o->argv[0];
  if (o->html)
    {
      write_page (o, program);
      return;
    }
  set_report_apart ();
  show ((char *[]) { bbprof, name, end, program, (char *) o->output, NULL });
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  return record_command (&command_run, argc, argv, report, err);
}

const struct command command_run = {
  .name = "run",
  .summary = "run any program and report on it",
  .group = GROUP_RECORD,
  .synopsis = "[option...] [--] PROGRAM [argument...] | -p PID[,PID...] [option...]",
  .description
  = "Runs PROGRAM as bbprof record does, and shows what bbprof report shows: on a terminal below "
    "a rule, otherwise on standard error, apart from PROGRAM's output.  The profile is kept.  "
    "With --html: writes a page for a browser instead, as bbprof html does.",
  .notes = "Exit status: PROGRAM's; 127 if PROGRAM is not found; 126 if it cannot be run; 2 if it "
           "cannot be sampled; 1 for any other error.",
  .options = run_option_table,
  .operands = OPERANDS_PROGRAM,
  .run = run,
};
