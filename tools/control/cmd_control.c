/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof control: commands to the run-time library in a running process. */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/command_options.h"
#include "tools/command.h"
#include "tools/program/control_request.h"

static const char *const words[] = { [BBC_START] = "start",
                                     [BBC_STOP] = "stop",
                                     [BBC_RESET] = "reset",
                                     [BBC_DUMP] = "dump",
                                     [BBC_STATUS] = "status" };
enum { NWORDS = sizeof words / sizeof *words };

static bool
parse_pid (const char *text, long *pid)
{
  char *end;
  errno = 0;
  *pid = strtol (text, &end, 10);
  return *text >= '1' && *text <= '9' && !*end && !errno && *pid <= 0x7fffffff;
}

static enum command_result
parse (int argc, char **argv, long *pid, int *command)
{
  if (argc - optind != 2)
    {
      fprintf (stderr, "%s: needs a PID and one command: start, stop, reset, dump or status\n",
               argv[0]);
      return COMMAND_USAGE;
    }
  if (!parse_pid (argv[optind], pid))
    {
      bool swapped = parse_pid (argv[optind + 1], pid);
      fprintf (stderr, "%s: '%s' is not a PID%s\n", argv[0], visible (argv[optind]),
               swapped ? ": the PID comes first, then the command" : "");
      return COMMAND_USAGE;
    }
  for (*command = 0; *command < NWORDS; ++*command)
    if (strcmp (argv[optind + 1], words[*command]) == 0)
      return COMMAND_DONE;
  fprintf (stderr, "%s: '%s' is not start, stop, reset, dump or status\n", argv[0],
           visible (argv[optind + 1]));
  return COMMAND_USAGE;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct options options;
  char answer[CONTROL_ANSWER];
  long pid;
  int command;
  options_begin (&options, &command_control, OPTIONS_ANYWHERE, argc, argv);
  if (options_next (&options) != OPTION_END)
    return COMMAND_USAGE;
  if (parse (argc, argv, &pid, &command) != COMMAND_DONE)
    return COMMAND_USAGE;
  if (!control_request ((pid_t) pid, (enum bbc_command) command, answer, err))
    return COMMAND_FAILED;
  puts (visible (answer));
  return COMMAND_DONE;
}

const struct command command_control = {
  .name = "control",
  .summary = "start, stop, reset or dump the profile of a running process",
  .group = GROUP_OTHER,
  .synopsis = "PID COMMAND",
  .description = "Controls the profiler in a running process of yours.  Commands:\n"
                 "  start    count\n"
                 "  stop     do not count\n"
                 "  reset    begin from zero\n"
                 "  dump     write the profile now, and go on\n"
                 "  status   print what it does, and how much was counted",
  .operands = OPERANDS_WORDS,
  .words = "start stop reset dump status",
  .run = run,
};
