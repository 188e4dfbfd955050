/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of --help, from the table of a command. */
#ifndef BBPROF_HELP_H
#define BBPROF_HELP_H

#include <stdio.h>

#include "tools/command.h"

enum { HELP_COLUMNS = 79 };

void help_print (FILE *, const struct command *);

/* TEXT, filled to HELP_COLUMNS; continued lines begin at column INDENT, where the first one
   begins as well: the caller has written up to there. */
void help_fill (FILE *, const char *text, int indent);

#endif
