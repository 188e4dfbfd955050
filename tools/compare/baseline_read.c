/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each value in the file is checked before it is used. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tools/compare/baseline.h"

enum { VERSION = 1, RUNS_MOST = 1 << 20 };

bool
baseline_is (const char *name)
{
  FILE *file = fopen (name, "r");
  bool is = file && fgetc (file) == '{';
  if (file)
    fclose (file);
  return is;
}

/* The file that is read, and its error. */
struct reader {
  const char *name;
  struct error *err;
};

static bool
refuse (const struct reader *r, const char *what)
{
  return error_set (r->err, r->name, ERROR_NO_OFFSET, "a damaged baseline: %s", what);
}

static bool
read_number (json_t *from, const char *field, uint64_t *number)
{
  json_t *value = json_object_get (from, field);
  if (!json_is_integer (value) || json_integer_value (value) < 0)
    return false;
  *number = (uint64_t) json_integer_value (value);
  return true;
}

/* Reads a number that is not negative. */
static bool
read_real (json_t *value, double *number)
{
  *number = json_number_value (value);
  return json_is_number (value) && *number >= 0;
}

static bool
read_count (json_t *from, const char *field, struct run_set_count *c)
{
  json_t *object = json_object_get (from, field);
  return read_number (object, "sum", &c->sum) && read_number (object, "least", &c->least)
         && read_number (object, "most", &c->most);
}

static bool
read_counts (json_t *from, const struct run_set *s, struct run_set_function *f)
{
  json_t *samples = json_object_get (from, "samples");
  if (!read_count (from, "calls", &f->calls) || !read_count (from, "executions", &f->executions)
      || json_array_size (samples) != s->runs)
    return false;
  for (size_t i = 0; i < s->runs; i++)
    if (!read_real (json_array_get (samples, i), &f->samples[i]))
      return false;
  return true;
}

static bool
read_function (const struct reader *r, json_t *from, struct run_set *s, struct run_set_function **f)
{
  const char *object = json_string_value (json_object_get (from, "object"));
  const char *file = json_string_value (json_object_get (from, "file"));
  const char *symbol = json_string_value (json_object_get (from, "symbol"));
  if (!object || !file || !symbol)
    return refuse (r, "a function without names");
  if (!(*f = run_set_function (s, object, file, symbol)))
    return error_no_memory (r->err);
  return read_counts (from, s, *f)
         || error_set (r->err, r->name, ERROR_NO_OFFSET,
                       "a damaged baseline: counts of the function %.80s", symbol);
}

/* FUNCTIONS: COUNT of them, numbered as in the file. */
static bool
read_arc (const struct reader *r, json_t *from, struct run_set *s,
          struct run_set_function **functions, size_t count)
{
  uint64_t caller, callee;
  if (!read_number (from, "caller", &caller) || !read_number (from, "callee", &callee)
      || caller >= count || callee >= count)
    return refuse (r, "an arc of no functions");
  struct run_set_arc *a = run_set_arc (s, functions[caller], functions[callee]);
  if (!a)
    return error_no_memory (r->err);
  return read_count (from, "calls", &a->calls) || refuse (r, "calls of an arc");
}

static bool
read_lists (const struct reader *r, json_t *from, struct run_set *s)
{
  json_t *functions = json_object_get (from, "functions"), *arcs = json_object_get (from, "arcs");
  size_t count = json_array_size (functions);
  if (!json_is_array (functions) || !json_is_array (arcs))
    return refuse (r, "no functions, or no arcs");
  struct run_set_function **all = calloc (count + 1, sizeof *all);
  bool ok = all || error_no_memory (r->err);
  for (size_t i = 0; ok && i < count; i++)
    ok = read_function (r, json_array_get (functions, i), s, &all[i]);
  for (size_t i = 0; ok && i < json_array_size (arcs); i++)
    ok = read_arc (r, json_array_get (arcs, i), s, all, count);
  free (all);
  return ok;
}

/* Copies a string; null stays null. */
static bool
copy (const struct reader *r, json_t *from, const char *field, char **to)
{
  const char *text = json_string_value (json_object_get (from, field));
  return !text || (*to = strdup (text)) || error_no_memory (r->err);
}

static bool
read_head (const struct reader *r, json_t *from, struct run_set *s)
{
  const char *format = json_string_value (json_object_get (from, "format"));
  uint64_t version, runs;
  if (!format || strcmp (format, "bbprof-baseline") != 0)
    return error_set (r->err, r->name, ERROR_NO_OFFSET, "JSON, but not a baseline");
  if (!read_number (from, "version", &version) || version != VERSION)
    return error_set (r->err, r->name, ERROR_NO_OFFSET, "a baseline of another version");
  if (!read_number (from, "runs", &runs) || runs == 0 || runs > RUNS_MOST)
    return refuse (r, "number of runs");
  if (!run_set_make (s, runs))
    return error_no_memory (r->err);
  s->runs = runs;
  s->has_calls = json_is_true (json_object_get (from, "has_calls"));
  s->has_executions = json_is_true (json_object_get (from, "has_executions"));
  s->incomplete = json_is_true (json_object_get (from, "incomplete"));
  if (!read_real (json_object_get (from, "samples_per_second"), &s->rate))
    return refuse (r, "samples_per_second");
  return copy (r, from, "program", &s->program) && copy (r, from, "build_id", &s->build_id)
         && copy (r, from, "inexact", &s->inexact);
}

static bool
read_all (const struct reader *r, json_t *from, struct run_set *s)
{
  if (!read_head (r, from, s))
    return false;
  if (!s->program)
    return refuse (r, "no program");
  return (read_counts (json_object_get (from, "total"), s, &s->total) || refuse (r, "total"))
         && read_lists (r, from, s);
}

bool
baseline_read (struct run_set *s, const char *name, struct error *err)
{
  struct reader r = { name, err };
  json_error_t where;
  memset (s, 0, sizeof *s);
  FILE *file = fopen (name, "r");
  if (!file)
    return error_set (err, name, ERROR_NO_OFFSET, "cannot open the baseline: %s", strerror (errno));
  json_t *all = json_loadf (file, JSON_REJECT_DUPLICATES, &where);
  fclose (file);
  if (!all)
    return error_set (err, name, (uint64_t) where.position, "a damaged baseline: %.120s",
                      where.text);
  bool ok = read_all (&r, all, s);
  json_decref (all);
  return ok;
}
