/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiles that a user means by names of files, of folders, and by @LIST. */
#ifndef BBPROF_INPUTS_H
#define BBPROF_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct inputs {
  char **names;
  size_t count, room;
};

/* Adds the profiles of WORD.  A folder stands for all profiles in it, in the order of the alphabet,
   but for OUTPUT; @LIST for the names in the file LIST, one on each line; sidecars and traces are
   passed over. */
bool inputs_add (struct inputs *, const char *word, const char *output, struct error *);

#endif
