/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof help: opens a manual page. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/visible.h"
#include "tools/arguments/help.h"
#include "tools/arguments/command_options.h"
#include "tools/commands/commands.h"

/* False: there is no man, or no such page. */
static bool
show_page (const char *page)
{
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    {
      int null = open ("/dev/null", O_WRONLY);
      if (null >= 0)
        dup2 (null, STDERR_FILENO);
      execlp ("man", "man", page, (char *) NULL);
      _exit (STATUS_NOT_FOUND);
    }
  if (pid < 0)
    return false;
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  return status == 0;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct options o;
  char page[64] = "bbprof";
  options_begin (&o, &command_help, OPTIONS_ANYWHERE, argc, argv);
  if (options_next (&o) != OPTION_END)
    return COMMAND_USAGE;
  const char *name = optind < argc ? argv[optind] : NULL;
  if (optind + 1 < argc)
    {
      fprintf (stderr, "%s: shows one command at a time: remove '%s'\n", argv[0],
               visible (argv[optind + 1]));
      return COMMAND_USAGE;
    }
  const struct command *command = name ? commands_find (name) : NULL;
  if (name && !command)
    {
      commands_explain (name, argv + optind + 1);
      return COMMAND_USAGE;
    }
  if (name)
    snprintf (page, sizeof page, "bbprof-%s", command->name);
  if (show_page (page))
    return COMMAND_DONE;
  if (command)
    help_print (stdout, command);
  else
    commands_print (stdout);
  return error_if_unwritten (stdout, err) ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_help = {
  .name = "help",
  .summary = "the manual page of a command",
  .group = GROUP_OTHER,
  .synopsis = "[COMMAND]",
  .description
  = "Opens the manual page of COMMAND, or of bbprof.  Where there is none, prints the text of "
    "--help.",
  .operands = OPERANDS_COMMANDS,
  .run = run,
};
