/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof: finds the subcommand and runs it.  Status: 0; 1 bad data, or no; 2 wrong command line,
   or nobody knows. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/command.h"

static const struct command *const commands[]
    = { &command_run,     &command_record,   &command_doctor,  &command_timeline, &command_top,
        &command_report,  &command_annotate, &command_blocks,  &command_jumps,    &command_diff,
        &command_check,   &command_merge,    &command_score,   &command_trace,    &command_replay,
        &command_symbols, &command_historic, &command_control, &command_recover };

enum { NCOMMANDS = sizeof commands / sizeof *commands, STATUS_USAGE = 2, STATUS_UNSURE = 2 };

static void
usage (FILE *out)
{
  fputs ("Usage: bbprof COMMAND [argument...]\n", out);
  fputs ("Samples any program, and reports on what it or one compiled with gcc -pg -fplugin=bbprof "
         "has written: gmon.out.\n",
         out);
  fputs ("\n", out);
  fputs ("Commands (bbprof COMMAND --help says more):\n", out);
  for (int i = 0; i < NCOMMANDS; i++)
    fprintf (out, "  %-10s %s\n", commands[i]->name, commands[i]->help);
  fputs ("\n", out);
  fputs ("  -h, --help       this text\n", out);
  fputs ("  -v, --version    which bbprof this is\n", out);
  fputs ("\n", out);
  fputs ("gprof's own report comes from bbprof-gprof.\n", out);
  fputs ("\n", out);
  fputs ("Report bugs to " PACKAGE_BUGREPORT ".\n", out);
}

static int
run (const struct command *command, int argc, char **argv)
{
  struct error err;
  char name[64];
  snprintf (name, sizeof name, "bbprof %s", command->name);
  argv[0] = name; /* for the messages of getopt */
  switch (command->run (argc, argv, &err))
    {
    case COMMAND_FAILED: error_print (name, &err); return EXIT_FAILURE;
    case COMMAND_USAGE: fprintf (stderr, "Try '%s --help'.\n", name); return STATUS_USAGE;
    case COMMAND_NO: return EXIT_FAILURE;
    case COMMAND_UNSURE: error_print (name, &err); return STATUS_UNSURE;
    case COMMAND_DONE: break;
    }
  return EXIT_SUCCESS;
}

int
main (int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : NULL;
  visible_stderr ();
  if (!word)
    {
      usage (stderr);
      return STATUS_USAGE;
    }
  if (strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0)
    {
      usage (stdout);
      return EXIT_SUCCESS;
    }
  if (strcmp (word, "--version") == 0 || strcmp (word, "-v") == 0)
    {
      puts (PACKAGE_STRING "\nLicence GPL-3.0-or-later; there is no warranty.");
      return EXIT_SUCCESS;
    }
  for (int i = 0; i < NCOMMANDS; i++)
    if (strcmp (word, commands[i]->name) == 0)
      return run (commands[i], argc - 1, argv + 1);
  fprintf (stderr, "bbprof: no such %s: %s\n", word[0] == '-' ? "option" : "command", word);
  fputs ("Try 'bbprof --help'.\n", stderr);
  return STATUS_USAGE;
}
