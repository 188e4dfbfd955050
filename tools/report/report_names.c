/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/elf/demangle.h"
#include "model/symbols/srcline.h"
#include "tools/report/report_names.h"

struct name_hash {
  uint64_t hash;
  uint64_t symbol; /* index */
};

/* FNV-1a. */
static uint64_t
hash (const char *name)
{
  uint64_t h = 0xcbf29ce484222325UL;
  for (; *name; name++)
    h = (h ^ (unsigned char) *name) * 0x100000001b3UL;
  return h;
}

bool *
report_find_namesakes (const struct symtab *t)
{
  bool *shared = calloc (t->count + 1, sizeof *shared);
  struct name_hash *list = malloc ((t->count + 1) * sizeof *list);
  bool ok = shared && list;
  for (size_t i = 0; ok && i < t->count; i++)
    list[i] = (struct name_hash) { hash (t->symbols[i].name), i };
  ok = ok && array_sort_by_number (list, t->count, sizeof *list, offsetof (struct name_hash, hash));
  for (size_t i = 1; ok && i < t->count; i++)
    {
      const struct symbol *x = &t->symbols[list[i - 1].symbol], *y = &t->symbols[list[i].symbol];
      if (list[i - 1].hash == list[i].hash && x->object == y->object
          && strcmp (x->name, y->name) == 0)
        shared[list[i - 1].symbol] = shared[list[i].symbol] = true;
    }
  free (list);
  if (ok)
    return shared;
  free (shared);
  return NULL;
}

char *
report_where (const struct symbol *s)
{
  struct srcline where = { .file = s->file, .line = s->line };
  char *text;
  bool known = s->file ? *s->file != '\0' : srcline_find (s->object, s->address, &where);
  int n = known ? asprintf (&text, "%s:%u", srcline_base (where.file), where.line)
                : asprintf (&text, "0x%" PRIx64, s->address - s->object->base);
  return n < 0 ? NULL : text;
}

/* Appends file and line to NAME (which it takes over) if several functions have that name; null:
   no memory. */
static char *
tell_apart (const struct symbol *s, char *name)
{
  char *where = report_where (s), *longer = NULL;
  if (!where || asprintf (&longer, "%s (%s)", name, where) < 0)
    longer = NULL;
  free (where);
  free (name);
  return longer;
}

const char *
report_name (struct report_table *t, uint32_t node)
{
  const struct symbol *symbol = t->graph.nodes[node].symbol;
  if (t->names[node])
    return t->names[node];
  char *name = demangle_name (model_program (t->model), symbol->name);
  if (!name)
    name = strdup (symbol->name);
  return t->names[node] = name && t->tells_apart && t->namesakes[node] ? tell_apart (symbol, name)
                                                                       : name;
}
