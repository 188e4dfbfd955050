/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tools/compare/side.h"

bool
side_make (struct side *s, size_t runs)
{
  *s = (struct side) { .room = runs, .has_calls = true, .has_executions = true };
  s->total = s->none = (struct side_function) { .object = "", .file = "", .symbol = "" };
  s->total.samples = calloc (runs + 1, sizeof *s->total.samples);
  s->none.samples = calloc (runs + 1, sizeof *s->none.samples);
  return s->total.samples && s->none.samples;
}

void
side_free (struct side *s)
{
  struct side_function *f, *next;
  struct side_arc *a, *next_arc;
  HASH_ITER (hh, s->arcs, a, next_arc)
  {
    HASH_DEL (s->arcs, a);
    free (a);
  }
  HASH_ITER (hh, s->functions, f, next)
  {
    HASH_DEL (s->functions, f);
    free (f->samples);
    free (f->key);
    free (f);
  }
  free (s->total.samples);
  free (s->none.samples);
  free (s->program);
  free (s->build_id);
  free (s->inexact);
  memset (s, 0, sizeof *s);
}

/* The names in fresh memory, each with its zero. */
static char *
make_key (const char *object, const char *file, const char *symbol, size_t *size)
{
  size_t sizes[] = { strlen (object) + 1, strlen (file) + 1, strlen (symbol) + 1 };
  char *key = malloc (*size = sizes[0] + sizes[1] + sizes[2]);
  if (!key)
    return NULL;
  memcpy (key, object, sizes[0]);
  memcpy (key + sizes[0], file, sizes[1]);
  memcpy (key + sizes[0] + sizes[1], symbol, sizes[2]);
  return key;
}

static struct side_function *
add_function (struct side *s, char *key, size_t size)
{
  struct side_function *f = calloc (1, sizeof *f);
  if (!f || !(f->samples = calloc (s->room + 1, sizeof *f->samples)))
    {
      free (f);
      return NULL;
    }
  f->object = f->key = key;
  f->file = f->object + strlen (f->object) + 1;
  f->symbol = f->file + strlen (f->file) + 1;
  f->number = HASH_COUNT (s->functions);
  HASH_ADD_KEYPTR (hh, s->functions, f->key, size, f);
  return f;
}

struct side_function *
side_function (struct side *s, const char *object, const char *file, const char *symbol)
{
  size_t size;
  struct side_function *f = NULL;
  char *key = make_key (object, file, symbol, &size);
  if (!key)
    return NULL;
  HASH_FIND (hh, s->functions, key, size, f);
  if (f)
    free (key);
  else if (!(f = add_function (s, key, size)))
    free (key);
  return f;
}

const struct side_function *
side_find (const struct side *s, const struct side_function *other)
{
  struct side_function *f;
  HASH_FIND (hh, s->functions, other->key, other->hh.keylen, f);
  return f ? f : &s->none;
}

static struct side_arc *
find_arc (const struct side *s, const struct side_ends *ends)
{
  struct side_arc *a;
  HASH_FIND (hh, s->arcs, ends, sizeof *ends, a);
  return a;
}

struct side_arc *
side_arc (struct side *s, const struct side_function *caller, const struct side_function *callee)
{
  struct side_ends ends = { caller, callee };
  struct side_arc *a = find_arc (s, &ends);
  if (a || !(a = calloc (1, sizeof *a)))
    return a;
  a->ends = ends;
  HASH_ADD (hh, s->arcs, ends, sizeof a->ends, a);
  return a;
}

const struct side_arc *
side_find_arc (const struct side *s, const struct side_arc *other)
{
  struct side_ends ends = { side_find (s, other->ends.caller), side_find (s, other->ends.callee) };
  return find_arc (s, &ends);
}
