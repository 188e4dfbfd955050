/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <stdlib.h>
#include <string.h>

#include "model/symbols/line_symbols.h"
#include "model/symbols/srcline.h"
#include "model/symbols/symbol_sources.h"

/* A walk through an object's text, from stretch to stretch. */
struct walk {
  struct symtab *table;
  const struct symtab *functions;
  const struct object *object;
  struct srcline previous; /* the last known position, which is of a symbol */
};

static bool
is_same (const struct srcline *a, const struct srcline *b)
{
  return a->line == b->line && a->function && strcmp (a->function, b->function) == 0
         && strcmp (a->file, b->file) == 0;
}

/* As the symbol before, if that is of the same function and file; else as the function there. */
static bool
is_static (const struct walk *w, const struct symbol *s)
{
  const struct symbol *before = w->table->count > 0 ? &w->table->symbols[w->table->count - 1]
                                                    : NULL;
  if (before && before->source == s->source && strcmp (before->name, s->name) == 0)
    return before->is_static;
  const struct symbol *function = symtab_find (w->functions, s->address);
  return function && function->is_static;
}

static bool
add_symbol (struct walk *w, uint64_t address, const struct srcline *line)
{
  struct symbol s
      = { .address = address, .name = line->function, .object = w->object, .is_line = true };
  if (!symbol_sources_set (w->table, &s, line))
    return false;
  s.is_static = is_static (w, &s);
  return symtab_add (w->table, &s);
}

/* An unknown position does not end the line before it: another stretch of that line gets no
   symbol. */
static bool
visit (struct walk *w, uint64_t address)
{
  struct srcline line;
  if (!srcline_find (w->object, address, &line) || is_same (&w->previous, &line))
    return true;
  w->previous = line;
  return add_symbol (w, address, &line);
}

/* Twice, as gprof does: some functions have another name at the first lookup. */
static bool
add_object (struct walk *w)
{
  struct srcline ignored;
  const asection *text = w->object->image.text;
  uint64_t first = w->object->base + bfd_section_vma (text), end = first + bfd_section_size (text);
  w->previous = (struct srcline) { 0 };
  for (uint64_t address = first; address < end; address = srcline_end (w->object, address, end))
    srcline_find (w->object, address, &ignored);
  for (uint64_t address = first; address < end; address = srcline_end (w->object, address, end))
    if (!visit (w, address))
      return false;
  return true;
}

/* The number of functions that are kept: gprof loses the last one if it lies behind .text, as
   data_start does. */
static size_t
count_kept (const struct symtab *functions)
{
  const struct symbol *last = &functions->symbols[functions->count - 1];
  return functions->count - (last->object && last->address > last->end);
}

bool
line_symbols_add (struct symtab *t, const struct objects *all)
{
  struct symtab functions = { .symbols = t->symbols, .count = t->count };
  size_t nkept = count_kept (&functions);
  bool ok = true;
  t->symbols = NULL;
  t->count = t->room = 0;
  for (size_t i = 0; ok && i < all->count; i++)
    if (all->all[i].has_data && all->all[i].image.bfd)
      {
        struct walk w = { .table = t, .functions = &functions, .object = &all->all[i] };
        ok = add_object (&w);
      }
  for (size_t i = 0; ok && i < nkept; i++)
    ok = symtab_add (t, &functions.symbols[i]);
  free (functions.symbols);
  return ok;
}
