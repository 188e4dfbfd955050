/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions for shells, made from the tables of all commands. */
#ifndef BBPROF_COMPLETION_H
#define BBPROF_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/command.h"

void completion_bash (FILE *);
void completion_fish (FILE *);
void completion_zsh (FILE *);

/* The rest is shared by the three of them (cmd_completion.c). */

/* How the value of an option is completed. */
enum completion_value { VALUE_NONE, VALUE_WORDS, VALUE_FILE, VALUE_FOLDER, VALUE_OTHER };
enum completion_value completion_value (const struct command_option *);

/* The short option's letter; 0: there is none. */
char completion_letter (const struct command_option *);

/* TEXT inside of single quotes, as SHELL reads it; characters of ESCAPED get a backslash. */
enum completion_shell { SHELL_POSIX, SHELL_FISH };
void completion_quote (FILE *, const char *text, enum completion_shell shell, const char *escaped);

#endif
