/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that a user means. */
#ifndef BBPROF_ANNOTATE_FIND_H
#define BBPROF_ANNOTATE_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "model/blocks/blocks.h"
#include "model/model.h"

struct found {
  const struct symbol **symbols; /* by address */
  size_t count;
  char *file; /* all functions of this file; null: of one function */
};

/* WHAT: a function's name, or a pattern; FILE:FUNCTION; a file's name; 0x and an address of the
   code; null: of the functions with counters that with the most time, or else executions.  The
   parts of a function (.cold, .part.0) and its copies (.constprop.0; in several units, of a
   header) belong to it.  False, with a line that says why, and if several functions have the
   name their list on stderr.  found_free is right in both cases. */
bool annotate_find (struct found *, const char *what, const struct model *, const struct blocks *,
                    struct error *);
void found_free (struct found *);

#endif
