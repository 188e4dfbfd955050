/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tools/arguments/page_output.h"
#include "tools/commands/command_main.h"

enum exit_status
command_main (const struct command *command, int argc, char **argv)
{
  struct error err;
  char name[64];
  enum exit_status status = STATUS_DONE;
  snprintf (name, sizeof name, "bbprof %s", command->name);
  argv[0] = name; /* for messages */
  switch (command->run (argc, argv, &err))
    {
    case COMMAND_FAILED: error_print (name, &err); return STATUS_FAILED;
    case COMMAND_USAGE:
      fprintf (stderr, "Try '%s --help'.\n", strcmp (command->name, "help") == 0 ? "bbprof" : name);
      return STATUS_USAGE;
    case COMMAND_NO: status = STATUS_FAILED; break;
    case COMMAND_UNSURE: error_print (name, &err); return STATUS_USAGE;
    case COMMAND_DONE: break;
    }
  if (page_output_end (&err))
    return status;
  error_print (name, &err);
  return STATUS_FAILED;
}
