/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof-commands: finds the command and runs it. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "common/visible.h"
#include "tools/commands/command_main.h"
#include "tools/commands/commands.h"

const struct command *const commands[] = { &command_run,        &command_record,
                                           &command_top,        &command_timeline,
                                           &command_report,     &command_annotate,
                                           &command_blocks,     &command_export,
                                           &command_html,       &command_gprof,
                                           &command_diff,       &command_check,
                                           &command_merge,      &command_score,
                                           &command_trace,      &command_replay,
                                           &command_jumps,      &command_doctor,
                                           &command_env,        &command_help,
                                           &command_completion, &command_control,
                                           &command_recover,    &command_symbols,
                                           &command_historic,   NULL };

/* The list is longer than a screen: what to do comes behind it. */
static void
ask_command (FILE *out)
{
  commands_print (out);
  fputs ("\nbbprof: which command?  To begin: bbprof run -- PROGRAM [argument...]\n", out);
}

/* Standard output has all that was written; else an error says why not. */
static enum exit_status
written (void)
{
  struct error err;
  if (error_if_unwritten (stdout, &err))
    return STATUS_DONE;
  error_print ("bbprof", &err);
  return STATUS_FAILED;
}

int
main (int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : NULL;
  visible_stderr ();
  if (!word)
    {
      visible_print (ask_command);
      return STATUS_USAGE;
    }
  if (strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0)
    {
      commands_print (stdout);
      return written ();
    }
  if (strcmp (word, "--version") == 0 || strcmp (word, "-V") == 0 || strcmp (word, "-v") == 0)
    {
      puts (PACKAGE_STRING "\nLicence GPL-3.0-or-later; there is no warranty.");
      return written ();
    }
  const struct command *command = commands_find (word);
  if (command)
    return command_main (command, argc - 1, argv + 1);
  commands_explain (word, argv + 2);
  fputs ("Try 'bbprof --help'.\n", stderr);
  return STATUS_USAGE;
}
