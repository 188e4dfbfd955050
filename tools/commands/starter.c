/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof: runs the commands that need only a few small libraries, so that a program starts soon
   below them.  Becomes bbprof-commands for all others. */
#include "config.h"

#include <string.h>

#include "common/visible.h"
#include "tools/commands/command_main.h"
#include "tools/program/part.h"

static const struct command *const quick[]
    = { &command_record, &command_run, &command_control, &command_gprof, &command_env };

int
main (int argc, char **argv)
{
  struct error err;
  visible_stderr ();
  for (size_t i = 0; argc > 1 && i < sizeof quick / sizeof *quick; i++)
    if (strcmp (argv[1], quick[i]->name) == 0)
      return command_main (quick[i], argc - 1, argv + 1);
  commands_become (argv, &err);
  error_print ("bbprof", &err);
  return STATUS_NOT_FOUND;
}
