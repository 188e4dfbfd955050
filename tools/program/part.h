/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other parts of bbprof: files that this program runs, or has loaded. */
#ifndef BBPROF_PART_H
#define BBPROF_PART_H

#include <stdbool.h>

#include "common/error.h"

/* The file at PATH, which begins with a slash and is relative to the folder of this program's file;
   in new memory.  Null: there is no such file.  In a build folder, and where an installation was
   moved, parts are not where they would be installed. */
char *part_beside (const char *path);

/* bbprof-commands, which has all commands and needs more libraries than bbprof does.  ARGV is that
   of bbprof: the command is ARGV[1], a null ends it.

   commands_become: this process becomes it; returns only if it cannot: ERR says why.
   commands_run: runs it as a child to its end, which has told its own errors.  False: ERR says why
   it was not started. */
void commands_become (char **argv, struct error *err);
bool commands_run (char **argv, struct error *err);

#endif
