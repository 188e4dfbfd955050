/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program does with a command that it has. */
#ifndef BBPROF_COMMAND_MAIN_H
#define BBPROF_COMMAND_MAIN_H

#include "tools/command.h"

/* Runs COMMAND, prints its error, and completes its page.  ARGV[0], the command's name, is
   replaced by "bbprof NAME", for messages. */
enum exit_status command_main (const struct command *command, int argc, char **argv);

#endif
