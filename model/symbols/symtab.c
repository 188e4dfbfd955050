/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/symbols/symbol_sources.h"
#include "model/symbols/symtab.h"

bool
symtab_is_helper_name (const char *name)
{
  static const char *const helpers[]
      = { "_gprof_mcount", "mcount", "_mcount", "__mcount", "__mcount_internal", "__mcleanup" };
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
    if (strcmp (name, helpers[i]) == 0)
      return true;
  return false;
}

bool
symtab_add (struct symtab *t, const struct symbol *s)
{
  if (!array_grow (&t->symbols, t->count, &t->room, sizeof *t->symbols))
    return false;
  t->symbols[t->count++] = *s;
  return true;
}

bool
symtab_keep (struct symtab *t, char *text)
{
  if (text && array_grow (&t->texts, t->ntexts, &t->room_texts, sizeof *t->texts))
    {
      t->texts[t->ntexts++] = text;
      return true;
    }
  free (text);
  return false;
}

void
symtab_free (struct symtab *t)
{
  for (size_t i = 0; i < t->ntexts; i++)
    free (t->texts[i]);
  free (t->texts);
  free (t->symbols);
  symbol_sources_free (t);
  memset (t, 0, sizeof *t);
}

const struct symbol *
symtab_find (const struct symtab *t, uint64_t address)
{
  size_t before = ARRAY_BEFORE (i, t->count, t->symbols[i].address <= address);
  if (before == 0 || t->symbols[before - 1].end < address)
    return NULL;
  return &t->symbols[before - 1];
}
