/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/elf/debug_file.h"
#include "model/elf/debuginfod.h"
#include "model/elf/package.h"
#include "model/missing_names.h"
#include "model/model.h"
#include "model/symbols/samples.h"

/* A smaller part of the profile in functions without names is not reported; a report names at
   most so many objects. */
#define WORTH_A_LINE 0.05
enum { OBJECTS_MOST = 3 };

/* The amount without names: samples; or, if the profile has none, calls or executions of blocks. */
struct tally {
  const struct model *model;
  double *of_objects;
  double nameless, all;
  const char *unit;
};

/* Weighing. */

/* A debug file gives no more names to an object with a symbol table: its code without names is
   the compiler's, as stubs of trace points. */
static void
weigh (struct tally *t, const struct symbol *s, double weight)
{
  if (!s || !s->is_nameless || !s->object->image.bfd || s->object->image.nraw > 0)
    return;
  t->nameless += weight;
  t->of_objects[s->object - t->model->objects.all] += weight;
}

static bool
weigh_samples (struct tally *t)
{
  const struct symtab *table = &t->model->symtab;
  double *samples = calloc (table->count + 1, sizeof *samples);
  if (!samples)
    return false;
  t->unit = "samples";
  t->all = samples_assign_to_symbols (&t->model->profile, table, samples);
  for (size_t i = 0; i < table->count; i++)
    weigh (t, &table->symbols[i], samples[i]);
  free (samples);
  return true;
}

static void
weigh_counts (struct tally *t)
{
  const struct profile *p = &t->model->profile;
  const struct symtab *table = &t->model->symtab;
  t->unit = p->ncalls > 0 ? "calls" : "executions of blocks";
  for (size_t i = 0; i < p->ncalls; i++, t->all += (double) p->calls[i - 1].count)
    weigh (t, symtab_find (table, p->calls[i].self), (double) p->calls[i].count);
  for (size_t i = 0; p->ncalls == 0 && i < p->nexecutions;
       i++, t->all += (double) p->executions[i - 1].count)
    weigh (t, symtab_find (table, p->executions[i].address), (double) p->executions[i].count);
}

/* The objects with the largest amounts, the largest first. */
struct lacking {
  const struct object *objects[OBJECTS_MOST];
  char paths[OBJECTS_MOST][PATH_MAX];
  struct package_file files[OBJECTS_MOST];
  size_t count;
};

static void
find_lacking (struct lacking *l, const struct tally *t)
{
  while (l->count < OBJECTS_MOST)
    {
      size_t most = 0;
      for (size_t i = 0; i < t->model->objects.count; i++)
        if (t->of_objects[i] > t->of_objects[most])
          most = i;
      if (t->of_objects[most] < WORTH_A_LINE * t->all)
        return;
      const struct object *o = &t->model->objects.all[most];
      t->of_objects[most] = 0;
      l->files[l->count].path = realpath (o->path, l->paths[l->count]) ? l->paths[l->count]
                                                                       : o->path;
      l->objects[l->count++] = o;
    }
}

/* Text. */

struct line {
  struct error error;
  size_t length;
};

static void __attribute__ ((format (printf, 2, 3))) say (struct line *l, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  int n = vsnprintf (l->error.text + l->length, sizeof l->error.text - l->length, format, args);
  va_end (args);
  l->length += n > 0 ? (size_t) n : 0;
  if (l->length >= sizeof l->error.text)
    l->length = sizeof l->error.text - 1;
}

/* Debian has a package of symbols for each package; glibc's has another name. */
static void
add_package (struct line *line, const char *package, bool first)
{
  const char *suffix = strcmp (package, "libc6") == 0 ? "dbg" : "dbgsym";
  say (line, "%s%.40s-%s", first ? "install " : " ", package, suffix);
}

static bool
is_said (const struct lacking *l, size_t i)
{
  for (size_t k = 0; k < i; k++)
    if (l->files[k].package && strcmp (l->files[k].package, l->files[i].package) == 0)
      return true;
  return false;
}

static void
add_advice (struct line *line, const struct lacking *l)
{
  size_t npackages = 0, nowned = 0;
  const char *servers = getenv ("DEBUGINFOD_URLS"), *trouble = debuginfod_trouble ();
  for (size_t i = 0; i < l->count; i++)
    if (l->files[i].package)
      {
        nowned++;
        if (!is_said (l, i))
          add_package (line, l->files[i].package, npackages++ == 0);
      }
  if (npackages > 0)
    say (line, " from the distribution's debug archive");
  const char *before = npackages > 0 ? ", or " : "";
  if (nowned < l->count)
    {
      say (line, "%sname the folder of its debug file in " DEBUG_FILE_PATH_VARIABLE, before);
      before = ", or ";
    }
  if (servers && *servers && !debuginfod_is_url (servers))
    say (line, " (DEBUGINFOD_URLS is no URL: '%.40s')", servers);
  else if (trouble)
    say (line, " (the servers of DEBUGINFOD_URLS: %s)", trouble);
  else if (servers && *servers && debuginfod_can ())
    say (line, " (the servers of DEBUGINFOD_URLS do not know it)");
  else if (debuginfod_can ())
    say (line, "%sset DEBUGINFOD_URLS to its debuginfod server", before);
}

static bool
warn (struct model *m, const struct tally *t, bool *is_said)
{
  struct lacking *l = calloc (1, sizeof *l);
  struct line line = { .error = { .offset = ERROR_NO_OFFSET } };
  if (!l)
    return false;
  find_lacking (l, t);
  bool ok = packages_find (l->files, l->count);
  say (&line, "%.0f %% of the %s are in functions without names, of ", 100 * t->nameless / t->all,
       t->unit);
  for (size_t i = 0; i < l->count; i++)
    say (&line, "%s%.40s",
         i == 0             ? ""
         : i + 1 < l->count ? ", "
                            : " and ",
         object_name (l->objects[i]));
  say (&line, ": ");
  add_advice (&line, l);
  ok = ok && (l->count == 0 || warnings_add (&m->warnings, &line.error));
  *is_said = ok && l->count > 0;
  for (size_t i = 0; i < l->count; i++)
    free (l->files[i].package);
  free (l);
  return ok;
}

bool
missing_names_warn (struct model *m)
{
  static bool is_said; /* a comparison reads several models for one report */
  if (is_said)
    return true;
  struct tally t
      = { .model = m, .of_objects = calloc (m->objects.count + 1, sizeof *t.of_objects) };
  bool ok = t.of_objects && weigh_samples (&t);
  if (ok && t.all <= 0)
    weigh_counts (&t);
  ok = ok && (t.nameless < WORTH_A_LINE * t.all || t.nameless == 0 || warn (m, &t, &is_said));
  free (t.of_objects);
  return ok;
}
