/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/decode/trace_objects.h"

static bool
is_same (const struct pieces_object *a, const struct pieces_object *b)
{
  return strcmp (a->path, b->path) == 0 && build_id_equal (&a->build_id, &b->build_id);
}

/* The first object of P that is the same file as its object I: an object that was loaded twice
   is one object of the model. */
static size_t
first_same (const struct pieces *p, size_t i)
{
  size_t first = 0;
  while (!is_same (&p->objects[first], &p->objects[i]))
    first++;
  return first;
}

static bool
is_program (const struct pieces *p, const struct pieces_object *o)
{
  return strcmp (o->path, p->program) == 0;
}

/* Describes the objects as a sidecar does, the program first. */

static void
tell_object (struct bbx *x, const struct pieces_object *o, uint64_t base)
{
  x->objects[base ? x->nobjects++ : 0]
      = (struct bbx_run_object) { .fixed = { .base = base,
                                             .start = o->fixed.start,
                                             .end = o->fixed.end,
                                             .text_start = o->fixed.start,
                                             .text_end = o->fixed.end },
                                  .build_id = o->build_id,
                                  .path = o->path };
}

static uint64_t
base_of (const struct pieces *p, size_t i)
{
  return is_program (p, &p->objects[i]) ? 0 : (first_same (p, i) + 1) * BBX_BASE_UNIT;
}

static bool
add_objects (struct objects *all, const struct pieces *p, bool any_build, struct warnings *warnings,
             struct error *err)
{
  struct bbx_process process = { .fixed = { .started = p->about.started } };
  struct bbx x = { .processes = &process, .nprocesses = 1, .nobjects = 1 };
  struct gmon_moves moves = { 0 };
  x.objects = calloc (p->nobjects + 1, sizeof *x.objects);
  if (!x.objects)
    return error_no_memory (err);
  for (size_t i = 0; i < p->nobjects; i++)
    if (first_same (p, i) == i)
      tell_object (&x, &p->objects[i], base_of (p, i));
  bool ok = objects_check_build (all, &x, p->name, any_build, warnings, err)
            && objects_add_run (all, &x, &moves, err);
  free (moves.moves);
  free (x.objects);
  return ok;
}

/* Opens the files of all objects, as if each had samples. */
static bool
open_files (struct objects *all, struct warnings *warnings)
{
  struct profile p = { 0 };
  bool ok = true;
  for (size_t i = 1; ok && i < all->count; i++)
    ok = profile_add_execution (&p, all->all[i].base + all->all[i].start, 0);
  ok = ok && objects_finish (all, &p, warnings);
  profile_free (&p);
  return ok;
}

static struct trace_range
make_range (const struct objects *all, const struct pieces *p, size_t i)
{
  const struct bbt_object *fixed = &p->objects[i].fixed;
  uint64_t base = base_of (p, i);
  const struct object *o = objects_find (all, base + fixed->start);
  return (struct trace_range) { .start = fixed->bias + fixed->start,
                                .end = fixed->bias + fixed->end,
                                .distance = base - fixed->bias,
                                .loaded = fixed->loaded,
                                .unloaded = fixed->unloaded ? fixed->unloaded : UINT64_MAX,
                                .known = base == 0 || (o && o->image.bfd) };
}

/* The program's file: where it ran; else of that name beside the trace, as after a copy of both
   from another place; else where it ran, for the error.  In new memory, or null. */
static char *
find_program (const struct pieces *p)
{
  const char *name = strrchr (p->program, '/'), *folder_end = strrchr (p->name, '/');
  char *beside;
  if (asprintf (&beside, "%.*s%s", folder_end ? (int) (folder_end + 1 - p->name) : 0, p->name,
                name ? name + 1 : p->program)
      < 0)
    return NULL;
  if (access (p->program, F_OK) == 0 || access (beside, F_OK) != 0)
    {
      free (beside);
      return strdup (p->program);
    }
  return beside;
}

bool
trace_objects_open (struct trace_objects *t, struct objects *all, const struct pieces *p,
                    bool any_build, struct warnings *warnings, struct error *err)
{
  memset (t, 0, sizeof *t);
  if (!p->program || !*p->program)
    return error_set (
        err, p->name, ERROR_NO_OFFSET,
        "the trace does not name its program, so its addresses have no names; record it again");
  t->program = find_program (p);
  if (!t->program)
    return error_no_memory (err);
  if (!objects_open_program (all, t->program, err)
      || !add_objects (all, p, any_build, warnings, err))
    return false;
  t->ranges = calloc (p->nobjects + 1, sizeof *t->ranges);
  if (!t->ranges || !open_files (all, warnings))
    return error_no_memory (err);
  for (t->nranges = 0; t->nranges < p->nobjects; t->nranges++)
    t->ranges[t->nranges] = make_range (all, p, t->nranges);
  return true;
}

void
trace_objects_free (struct trace_objects *t)
{
  free (t->ranges);
  free (t->program);
  memset (t, 0, sizeof *t);
}

static bool
has (const struct trace_range *r, uint64_t address)
{
  return address - r->start < r->end - r->start;
}

/* Of several objects that were at one address in turn: the one at that time, else the latest. */
static const struct trace_range *
find (const struct trace_lookup *lookup, uint64_t address)
{
  const struct trace_range *found = NULL;
  for (size_t i = 0; i < lookup->objects->nranges; i++)
    {
      const struct trace_range *r = &lookup->objects->ranges[i];
      if (has (r, address)
          && (!found || (r->loaded <= lookup->when && found->unloaded <= lookup->when)))
        found = r;
    }
  return found;
}

uint64_t
trace_address (struct trace_lookup *lookup, uint64_t address)
{
  if (!lookup->last || !has (lookup->last, address))
    {
      lookup->last = find (lookup, address);
      if (!lookup->last)
        return 0;
    }
  return lookup->last->known ? address + lookup->last->distance : 0;
}
