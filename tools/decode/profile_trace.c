/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/decode/profile_trace.h"

#define SUFFIX ".bbt"

static bool
open_trace (struct profile_trace *t, const struct run *run, struct warnings *warnings)
{
  struct error why;
  t->trace = trace_open (t->path, run->other_build, warnings, &why);
  if (t->trace && trace_run (t->trace) == run->number)
    return true;
  if (t->trace)
    error_set (&why, t->path, ERROR_NO_OFFSET, "it is of another run than the profile; not used");
  trace_close (t->trace);
  t->trace = NULL;
  return warnings_add (warnings, &why);
}

bool
profile_trace_open (struct profile_trace *t, const struct run *run, const char *command)
{
  struct warnings warnings = { 0 };
  *t = (struct profile_trace) { .path = malloc (strlen (run->profile) + sizeof SUFFIX) };
  if (!t->path)
    return false;
  sprintf (t->path, "%s" SUFFIX, run->profile);
  bool ok = access (t->path, F_OK) != 0 || open_trace (t, run, &warnings);
  warnings_print (command, &warnings);
  warnings_free (&warnings);
  return ok;
}

void
profile_trace_close (struct profile_trace *t)
{
  trace_close (t->trace);
  free (t->path);
}

static bool
is_same_file (const char *a, const char *b)
{
  struct stat x, y;
  return strcmp (a, b) == 0
         || (stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev
             && x.st_ino == y.st_ino);
}

static const struct object *
find_object (struct trace_match *m, const char *path)
{
  const struct objects *all = &m->model->objects;
  if (m->path == path)
    return m->object;
  m->path = path;
  m->object = NULL;
  for (size_t i = 0; i < all->count && !m->object; i++)
    if (object_is_file (&all->all[i]) && is_same_file (all->all[i].path, path))
      m->object = &all->all[i];
  return m->object;
}

uint64_t
trace_match_address (struct trace_match *m, const struct trace_function *f, unsigned index)
{
  const struct object *o = find_object (m, f->object);
  return o ? o->base + f->blocks[index].address : 0;
}
