/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/symbols/symbol_sources.h"

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->number = NO_SOURCE)
#include <uthash.h>

struct source_name {
  const char *name;
  uint32_t number;
  UT_hash_handle hh;
};

/* The number of NAME; NO_SOURCE: out of memory. */
static uint32_t
number_of (struct symtab *t, const char *name)
{
  struct source_name *s;
  size_t n = strlen (name);
  HASH_FIND (hh, t->source_names, name, n, s);
  if (s)
    return s->number;
  if (t->nsources == NO_SOURCE
      || !array_grow (&t->sources, t->nsources, &t->room_sources, sizeof *t->sources)
      || !(s = malloc (sizeof *s)))
    return NO_SOURCE;
  s->name = name;
  s->number = (uint32_t) t->nsources;
  HASH_ADD_KEYPTR (hh, t->source_names, s->name, n, s);
  if (s->number == NO_SOURCE)
    {
      free (s);
      return NO_SOURCE;
    }
  t->sources[t->nsources++] = name;
  return s->number;
}

bool
symbol_sources_set (struct symtab *t, struct symbol *s, const struct srcline *line)
{
  s->source = number_of (t, line->file);
  s->line = line->line;
  return s->source != NO_SOURCE;
}

bool
symbol_sources_find (struct symtab *t)
{
  struct srcline line;
  for (size_t i = 0; i < t->count; i++)
    {
      struct symbol *s = &t->symbols[i];
      if (s->object && srcline_find (s->object, s->address, &line)
          && !symbol_sources_set (t, s, &line))
        return false;
    }
  return true;
}

void
symbol_sources_free (struct symtab *t)
{
  struct source_name *s, *next;
  HASH_ITER (hh, t->source_names, s, next)
  {
    HASH_DEL (t->source_names, s);
    free (s);
  }
  free (t->sources);
}
