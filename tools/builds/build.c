/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/symbols/symtab_load.h"
#include "tools/builds/build.h"
#include "tools/builds/function_names.h"

static int
compare_plain (const struct build_function *x, const struct build_function *y)
{
  const int order
      = strncmp (x->symbol->name, y->symbol->name, x->plain < y->plain ? x->plain : y->plain);
  return order != 0 || x->plain == y->plain ? order : x->plain < y->plain ? -1 : 1;
}

static int
compare_functions (const void *a, const void *b, void *context)
{
  const struct build_function *x = a, *y = b;
  (void) context;
  int order = compare_plain (x, y);
  if (order == 0)
    order = strcmp (x->symbol->name, y->symbol->name);
  if (order == 0)
    order = x->symbol->address < y->symbol->address ? -1 : x->symbol->address > y->symbol->address;
  return order;
}

static bool
sort_names (struct build *b, struct error *err)
{
  const struct symtab *t = &b->model.symtab;
  b->by_name = malloc ((t->count + 1) * sizeof *b->by_name);
  if (!b->by_name)
    return error_no_memory (err);
  for (size_t i = 0; i < t->count; i++)
    if (t->symbols[i].object && !t->symbols[i].is_nameless)
      {
        struct build_function *f = &b->by_name[b->count++];
        f->symbol = &t->symbols[i];
        f->plain = function_plain_length (f->symbol->name, &f->is_part);
      }
  return array_sort (b->by_name, b->count, sizeof *b->by_name, compare_functions, NULL)
         || error_no_memory (err);
}

bool
build_open (struct build *b, const char *path, struct error *err)
{
  static const struct profile none;
  static const struct symtab_choice choice = { .parts = true };
  struct model *m = &b->model;
  memset (b, 0, sizeof *b);
  return objects_open_program (&m->objects, path, err)
         && (objects_finish (&m->objects, &none, &m->warnings) || error_no_memory (err))
         && symtab_load (&m->symtab, &m->objects, &choice, err) && sort_names (b, err);
}

void
build_close (struct build *b)
{
  disassembler_close (b->code);
  free (b->by_name);
  model_free (&b->model);
  memset (b, 0, sizeof *b);
}

/* Names. */

/* Functions with one name: indexes in by_name, end exclusive. */
struct range {
  size_t first, end;
};

static bool
has_name (const struct build_function *f, const struct symbol *s)
{
  return strcmp (f->symbol->name, s->name) == 0;
}

/* Those of B whose plain name is that of F. */
static struct range
find_plain (const struct build *b, const struct build_function *f)
{
  struct range r;
  r.first = r.end = ARRAY_BEFORE (i, b->count, compare_plain (&b->by_name[i], f) < 0);
  while (r.end < b->count && compare_plain (&b->by_name[r.end], f) == 0)
    r.end++;
  return r;
}

/* Of these, those with all of the name of S. */
static struct range
narrow (const struct build *b, struct range r, const struct symbol *s)
{
  while (r.first < r.end && !has_name (&b->by_name[r.first], s))
    r.first++;
  size_t end = r.first;
  while (end < r.end && has_name (&b->by_name[end], s))
    end++;
  return (struct range) { r.first, end };
}

/* Can functions from these files be the same?  A file may be unknown. */
static bool
may_be_one (const char *a, const char *b)
{
  return !*a || !*b || strcmp (a, b) == 0;
}

/* The place of S among those of its name and file in B. */
static size_t
place_among (const struct build *b, struct range r, const struct symbol *s, const char *file)
{
  size_t place = 0;
  for (size_t i = r.first; i < r.end && b->by_name[i].symbol != s; i++)
    place += may_be_one (function_file (b->by_name[i].symbol), file);
  return place;
}

static const struct symbol *
choose (const struct build *b, struct range r, const char *file, size_t place)
{
  const struct symbol *found = NULL;
  for (size_t i = r.first; i < r.end; i++)
    if (may_be_one (function_file (b->by_name[i].symbol), file))
      {
        if (!found || place == 0)
          found = b->by_name[i].symbol;
        if (place-- == 0)
          break;
      }
  return found;
}

const struct symbol *
build_find_in (const struct build *b, const struct symbol *s, const struct build *other)
{
  struct build_function f = { .symbol = s };
  f.plain = function_plain_length (s->name, &f.is_part);
  const struct range near = find_plain (other, &f), exact = narrow (other, near, s);
  if (exact.first < exact.end)
    {
      const char *file = function_file (s);
      return choose (other, exact, file,
                     place_among (b, narrow (b, find_plain (b, &f), s), s, file));
    }
  for (size_t i = near.first; i < near.end; i++)
    if (!other->by_name[i].is_part)
      return other->by_name[i].symbol;
  return near.first < near.end ? other->by_name[near.first].symbol : NULL;
}
