/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/elf/demangle.h"
#include "model/symbols/srcline.h"
#include "tools/ranks/rank_names.h"

static char *
function_name (const struct rank_table *t, uint64_t address)
{
  const struct symbol *symbol = symtab_find (&t->model->symtab, address);
  if (!symbol)
    return strdup ("[unknown code]");
  char *name = demangle_name (model_program (t->model), symbol->name);
  return name ? name : strdup (symbol->name);
}

/* "FUNCTION (FILE:LINE)", with the block's address in the object if BLOCK. */
static char *
place (const struct rank_table *t, uint64_t address, bool block)
{
  const struct object *object = objects_find (&t->model->objects, address);
  struct srcline line;
  char *function = function_name (t, address), *name = NULL, at[32] = "", source[256] = "";
  if (block)
    snprintf (at, sizeof at, " 0x%" PRIx64, address - (object ? object->base : 0));
  if (object && srcline_find (object, address, &line))
    snprintf (source, sizeof source, " (%s:%u)", srcline_base (line.file), line.line);
  if (!function || asprintf (&name, "%s%s%s", function, at, source) < 0)
    name = NULL;
  free (function);
  return name;
}

char *
rank_name (const struct rank_table *t, uint64_t address)
{
  return t->what == RANK_FUNCTIONS ? function_name (t, address)
                                   : place (t, address, t->what == RANK_BLOCKS);
}

char *
rank_place (const struct rank_table *t, uint64_t address)
{
  return place (t, address, false);
}
