/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tools/compare/run_set.h"

bool
run_set_make (struct run_set *s, size_t runs)
{
  *s = (struct run_set) { .room = runs, .has_calls = true, .has_executions = true };
  s->total = s->none = (struct run_set_function) { .object = "", .file = "", .symbol = "" };
  s->total.samples = calloc (runs + 1, sizeof *s->total.samples);
  s->none.samples = calloc (runs + 1, sizeof *s->none.samples);
  return s->total.samples && s->none.samples;
}

void
run_set_free (struct run_set *s)
{
  struct run_set_function *f, *next;
  struct run_set_arc *a, *next_arc;
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

/* The three names in one allocation, each with its terminating zero. */
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

static struct run_set_function *
add_function (struct run_set *s, char *key, size_t size)
{
  struct run_set_function *f = calloc (1, sizeof *f);
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

struct run_set_function *
run_set_function (struct run_set *s, const char *object, const char *file, const char *symbol)
{
  size_t size;
  struct run_set_function *f = NULL;
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

const struct run_set_function *
run_set_find_names (const struct run_set *s, const char *object, const char *file,
                    const char *symbol)
{
  size_t size;
  struct run_set_function *f = NULL;
  char *key = make_key (object, file, symbol, &size);
  if (!key)
    return NULL;
  HASH_FIND (hh, s->functions, key, size, f);
  free (key);
  return f ? f : &s->none;
}

const struct run_set_function *
run_set_find (const struct run_set *s, const struct run_set_function *other)
{
  struct run_set_function *f;
  HASH_FIND (hh, s->functions, other->key, other->hh.keylen, f);
  return f ? f : &s->none;
}

static struct run_set_arc *
find_arc (const struct run_set *s, const struct run_set_ends *ends)
{
  struct run_set_arc *a;
  HASH_FIND (hh, s->arcs, ends, sizeof *ends, a);
  return a;
}

struct run_set_arc *
run_set_arc (struct run_set *s, const struct run_set_function *caller,
             const struct run_set_function *callee)
{
  struct run_set_ends ends = { caller, callee };
  struct run_set_arc *a = find_arc (s, &ends);
  if (a || !(a = calloc (1, sizeof *a)))
    return a;
  a->ends = ends;
  HASH_ADD (hh, s->arcs, ends, sizeof a->ends, a);
  return a;
}

const struct run_set_arc *
run_set_find_arc (const struct run_set *s, const struct run_set_arc *other)
{
  struct run_set_ends ends
      = { run_set_find (s, other->ends.caller), run_set_find (s, other->ends.callee) };
  return find_arc (s, &ends);
}
