/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the rows of the functions and objects that the user has chosen. */
#include "config.h"

#include <stdlib.h>

#include "model/elf/demangle.h"
#include "tools/arguments/name_choice.h"
#include "tools/arguments/object_choice.h"
#include "tools/ranks/rank_table.h"

static bool
is_of (const struct rank_row *row, const char *object)
{
  return object_choice_is (object, row->object ? object_name (row->object) : "",
                           row->object ? row->object->path : "");
}

/* Considers the row, or asks whether it is chosen. */
static bool
ask (const struct rank_table *t, const struct rank_row *row, struct name_choice *choice, bool last)
{
  const char *symbol = row->symbol ? row->symbol->name : "";
  char *name = demangle_name (model_program (t->model), symbol);
  bool chosen = last && name_choice_is (choice, symbol, name);
  if (!last)
    name_choice_consider (choice, symbol, name);
  free (name);
  return chosen;
}

static void
drop (struct rank_row *row)
{
  free (row->name);
  free (row->values);
}

static void
keep (struct rank_table *t, struct name_choice *choice, const char *object)
{
  size_t kept = 0;
  for (size_t i = 0; i < t->nrows; i++)
    if (is_of (&t->rows[i], object) && (!choice || ask (t, &t->rows[i], choice, true)))
      t->rows[kept++] = t->rows[i];
    else
      drop (&t->rows[i]);
  t->nrows = kept;
}

bool
rank_choose (struct rank_table *t, const char *function, const char *object, struct error *err)
{
  struct name_choice choice;
  bool ok = true;
  if (function)
    {
      name_choice_begin (&choice, function);
      for (size_t i = 0; i < t->nrows; i++)
        if (is_of (&t->rows[i], object))
          ask (t, &t->rows[i], &choice, false);
    }
  keep (t, function ? &choice : NULL, object);
  if (t->nrows == 0 && function)
    ok = name_choice_refuse (&choice, "function that ran", err);
  else if (t->nrows == 0 && object)
    ok = object_choice_refuse (object, err);
  if (function)
    name_choice_free (&choice);
  return ok;
}
