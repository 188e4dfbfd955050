/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions that the user names. */
#ifndef BBPROF_ANNOTATE_FIND_H
#define BBPROF_ANNOTATE_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "model/blocks/blocks.h"
#include "model/model.h"

struct found {
  const struct symbol **symbols; /* sorted by address */
  size_t count;
  char *file; /* all functions of this file; null: one function */
  /* Code is shown at its own line and at those of the calls that it is inlined for, whatever their
     files. */
  bool every_line;
};

/* WHAT: a function's name or pattern; FILE:FUNCTION; a file name; 0x and an address in the code;
   null: the function with the most time among those with counters, or else with the most
   executions.  Parts of a function (.cold, .part.0) and its copies (.constprop.0; those of a
   header in several units) belong to it.  OBJECT: the pattern of the objects in which it is
   searched for; null: all.  False: ERR has the reason; if several functions match, they are listed
   on stderr.  Call found_free in both cases. */
bool annotate_find (struct found *, const char *what, const char *object, const struct model *,
                    const struct blocks *, struct error *);
void found_free (struct found *);

#endif
