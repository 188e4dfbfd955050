/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which blocks of the profile those of a trace are: by their object, function and number in it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "jumps.h"

struct finder {
  const struct jumps *jumps;
  const char *path;            /* of the object that was looked for last */
  const struct object *object; /* what it is in the profile, or null */
};

static bool
is_same_file (const char *a, const char *b)
{
  struct stat x, y;
  return strcmp (a, b) == 0 || (stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

static const struct object *
find_object (struct finder *f, const char *path)
{
  const struct objects *all = &f->jumps->model->objects;
  if (f->path == path)
    return f->object;
  f->path = path;
  f->object = NULL;
  for (size_t i = 0; i < all->count && !f->object; i++)
    if (object_is_file (&all->all[i]) && is_same_file (all->all[i].path, path))
      f->object = &all->all[i];
  return f->object;
}

static size_t
find_place (void *context, const struct trace_block *b)
{
  struct finder *f = context;
  const struct blocks *blocks = &f->jumps->blocks;
  const struct object *o = find_object (f, b->function->object);
  const struct block *entry = o ? blocks_at (blocks, o->base + b->function->blocks[0].address) : NULL;
  if (!entry || !entry->map)
    return NO_PLACE;
  size_t place = entry->map->function + b->index;
  return place < blocks->map.count && blocks->map.blocks[place].function == entry->map->function ? place : NO_PLACE;
}

/* Of one of the runs that the profiles are of? */
static bool
is_known_run (const struct model *m, uint64_t run)
{
  for (size_t i = 0; i < m->nruns; i++)
    if (m->runs[i].number == run)
      return true;
  return false;
}

bool
jumps_add_trace (struct jumps *j, const char *path, bool of_any_run, struct warnings *warnings, struct error *err)
{
  struct finder finder = { .jumps = j };
  struct trip_places places = { .map = &j->blocks.map, .loops = &j->loops, .find = find_place, .context = &finder };
  struct trace *trace = trace_open (path, warnings, err);
  bool ok = trace != NULL;
  if (ok && !of_any_run && !is_known_run (j->model, trace_run (trace)))
    ok = error_set (err, path, ERROR_NO_OFFSET, "it is of another run than the profile beside it; not used");
  if (ok && !j->trips)
    ok = (j->trips = calloc (j->loops.count + 1, sizeof *j->trips)) != NULL || error_no_memory (err);
  ok = ok && (trips_add (j->trips, trace, &places) || error_no_memory (err));
  trace_close (trace);
  return ok;
}
