/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all commands, and the message for a first word that names no command. */
#ifndef BBPROF_COMMANDS_H
#define BBPROF_COMMANDS_H

#include <stdio.h>

#include "tools/command.h"

/* All commands, in the order of the list in --help; a null ends it. */
extern const struct command *const commands[];

/* Null: no command has this name. */
const struct command *commands_find (const char *name);

/* bbprof --help. */
void commands_print (FILE *);

/* On stderr: WORD is no command, and what was probably meant.  ARGUMENTS, up to a null, follow
   it. */
void commands_explain (const char *word, char *const *arguments);

#endif
