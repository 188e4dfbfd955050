/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/windows_path.h"
#include "include/bbprof-file.h"
#include "model/elf/debug_file.h"
#include "model/symbols/objects.h"
#include "model/symbols/srcline.h"

/* The model's addresses end here; far below 2^64, so sums do not overflow. */
#define ADDRESS_MOST (1UL << 62)

bool
objects_open_program (struct objects *all, const char *path, struct error *err)
{
  memset (all, 0, sizeof *all);
  if (!array_grow (&all->all, 0, &all->room, sizeof *all->all))
    return error_no_memory (err);
  struct object *o = &all->all[0];
  memset (o, 0, sizeof *o);
  all->count = 1;
  if (!(o->path = strdup (path)) || !(o->lines = srcline_tables_new ()))
    return error_no_memory (err);
  if (!image_open_program (&o->image, path, err) || !image_read_symbols (&o->image, err))
    return false;
  o->build_id = o->image.build_id;
  o->end = o->text_end = o->image.code_high;
  o->text_start = o->image.code_low;
  o->has_data = true;
  return true;
}

void
objects_free (struct objects *all)
{
  for (size_t i = 0; i < all->count; i++)
    {
      struct object *o = &all->all[i];
      srcline_tables_free (o->lines);
      image_close (&o->image);
      image_close (&o->debug);
      if (o->memory > 0)
        close (o->memory);
      free (o->debug_path);
      free (o->path);
    }
  free (all->all);
  memset (all, 0, sizeof *all);
}

/* Adding a run. */

/* Objects with equal build ids are one, at any address; without build ids, those with equal paths
   and sizes. */
static bool
is_same (const struct object *o, const struct bbx_run_object *new)
{
  if (!build_id_equal (&o->build_id, &new->build_id))
    return false;
  return o->build_id.size > 0
         || (strcmp (o->path, new->path) == 0 && o->start == new->fixed.start
             && o->end == new->fixed.end && o->text_start == new->fixed.text_start
             && o->text_end == new->fixed.text_end);
}

/* The object of earlier runs that is the same as NEW; one of the same path if there are several.
   Two copies of a file in one run stay two objects. */
static struct object *
find_same (const struct objects *all, const struct bbx_run_object *new)
{
  struct object *found = NULL;
  for (size_t i = 1; i < all->count; i++)
    {
      struct object *o = &all->all[i];
      if (o->run == all->runs || !is_same (o, new))
        continue;
      if (strcmp (o->path, new->path) == 0)
        return o;
      if (!found)
        found = o;
    }
  return found;
}

/* A base for NEW: the run's own, or, if an earlier run has something else there, one above
   everything. */
static uint64_t
choose_base (const struct objects *all, const struct bbx_object *new)
{
  uint64_t top = 0;
  bool taken = false;
  for (size_t i = 0; i < all->count; i++)
    {
      const struct object *o = &all->all[i];
      taken |= new->base + new->start < o->base + o->end
               && o->base + o->start < new->base + new->end;
      if (o->base + o->end > top)
        top = o->base + o->end;
    }
  return taken ? (top + BBX_BASE_UNIT - 1) / BBX_BASE_UNIT * BBX_BASE_UNIT : new->base;
}

static struct object *
add_object (struct objects *all, const struct bbx_run_object *new, struct error *err)
{
  uint64_t base = choose_base (all, &new->fixed);
  char *path = NULL;
  if (base + new->fixed.end > ADDRESS_MOST
      || !array_grow (&all->all, all->count, &all->room, sizeof *all->all)
      || !(path = windows_path (new->path, all->all[0].path)))
    {
      error_no_memory (err);
      return NULL;
    }
  struct object *o = &all->all[all->count++];
  *o = (struct object) { .path = path,
                         .build_id = new->build_id,
                         .base = base,
                         .start = new->fixed.start,
                         .end = new->fixed.end,
                         .text_start = new->fixed.text_start,
                         .text_end = new->fixed.text_end };
  return o;
}

bool
objects_check_build (const struct objects *all, const struct bbx *x, const char *profile,
                     bool any_build, struct warnings *warnings, struct error *err)
{
  const struct object *o = &all->all[0];
  char ran[BUILD_ID_TEXT], is[BUILD_ID_TEXT];
  const char *program = x->nprocesses > 0 && x->processes[0].program ? x->processes[0].program : "";
  const size_t length = strlen (program), shown = 60; /* of a long path, the end */
  if (x->nobjects == 0 || x->objects[0].build_id.size == 0
      || build_id_equal (&x->objects[0].build_id, &o->build_id))
    return true;
  error_set (err, profile, ERROR_NO_OFFSET,
             "of another build of the program, or of another program: %s (build %.*s%s%s%s ran, "
             "this is %.*s)",
             any_build ? "names and lines may be wrong" : "run the program again, or use --force",
             BUILD_ID_SHORT, build_id_text (&x->objects[0].build_id, ran), length > 0 ? " of " : "",
             length > shown ? "..." : "", length > shown ? program + length - shown : program,
             BUILD_ID_SHORT, o->build_id.size ? build_id_text (&o->build_id, is) : "none");
  return any_build && (warnings_add (warnings, err) || error_no_memory (err));
}

static int
compare_moves (const void *a, const void *b, void *context)
{
  const struct gmon_move *x = a, *y = b;
  (void) context;
  return x->start < y->start ? -1 : x->start > y->start;
}

bool
objects_add_run (struct objects *all, const struct bbx *x, struct gmon_moves *moves,
                 struct error *err)
{
  if (x->nobjects == 0)
    return true;
  moves->moves = malloc (x->nobjects * sizeof *moves->moves);
  if (!moves->moves)
    return error_no_memory (err);
  all->runs++;
  for (size_t i = 1; i < x->nobjects; i++)
    {
      const struct bbx_run_object *new = &x->objects[i];
      struct object *o = find_same (all, new);
      if (!o && !(o = add_object (all, new, err)))
        return false;
      o->run = all->runs;
      if (!o->contained)
        {
          o->contained = new->image;
          o->contained_bytes = new->image_bytes;
        }
      for (size_t k = 0; k < x->nprocesses; k++)
        if (o->since == 0 || x->processes[k].fixed.started < o->since)
          o->since = x->processes[k].fixed.started;
      o->moved |= o->base != new->fixed.base;
      moves->moves[moves->count++]
          = (struct gmon_move) { .start = new->fixed.base + new->fixed.start,
                                 .end = new->fixed.base + new->fixed.end,
                                 .distance = o->base - new->fixed.base };
    }
  return array_sort (moves->moves, moves->count, sizeof *moves->moves, compare_moves, NULL)
         || error_no_memory (err);
}

bool
objects_add_place (struct objects *all, const char *name, uint64_t base, uint64_t size)
{
  char *path = strdup (name);
  if (!path || !array_grow (&all->all, all->count, &all->room, sizeof *all->all))
    {
      free (path);
      return false;
    }
  all->all[all->count++]
      = (struct object) { .path = path, .base = base, .end = size, .has_data = true };
  return true;
}

/* Marks the objects that have data. */

static int
compare_objects (const void *a, const void *b, void *context)
{
  const struct object *x = a, *y = b;
  (void) context;
  return x->base + x->start < y->base + y->start ? -1 : x->base + x->start > y->base + y->start;
}

bool
objects_sort (struct objects *all)
{
  return array_sort (all->all, all->count, sizeof *all->all, compare_objects, NULL);
}

const struct object *
objects_find (const struct objects *all, uint64_t address)
{
  size_t before = ARRAY_BEFORE (i, all->count, all->all[i].base + all->all[i].start <= address);
  if (before == 0 || address >= all->all[before - 1].base + all->all[before - 1].end)
    return NULL;
  return &all->all[before - 1];
}

const struct object *
objects_note (struct objects *all, uint64_t address)
{
  const struct object *o = objects_find (all, address);
  if (o)
    all->all[o - all->all].has_data = true;
  return o;
}

static uint64_t
bin_address (const struct profile *p, const struct histogram *h, const struct bin *bin)
{
  return h->low + 2 * (uint64_t) (p->scale * bin->index);
}

static void
note_data (struct objects *all, const struct profile *p)
{
  for (size_t i = 0; i < p->nhistograms; i++)
    if (p->histograms[i].nfilled > 0)
      objects_note (all, bin_address (p, &p->histograms[i], &p->histograms[i].bins[0]));
  for (size_t i = 0; i < p->ncalls; i++)
    {
      objects_note (all, p->calls[i].from);
      objects_note (all, p->calls[i].self);
    }
  for (size_t i = 0; i < p->nexecutions; i++)
    objects_note (all, p->executions[i].address);
}

/* Their files. */

/* Puts the image that the profile contains where libraries find it by a path. */
static bool
open_contained (struct object *o, struct error *err)
{
  o->memory = memfd_create ("object", MFD_CLOEXEC);
  snprintf (o->memory_path, sizeof o->memory_path, "/proc/self/fd/%d", o->memory);
  for (size_t done = 0; done < o->contained_bytes;)
    {
      ssize_t n = write (o->memory, o->contained + done, o->contained_bytes - done);
      if (n <= 0)
        return error_no_memory (err);
      done += (size_t) n;
    }
  return image_open (&o->image, o->memory_path, err);
}

static bool
open_image (struct object *o, struct error *err)
{
  if (!(o->contained ? open_contained (o, err) : image_open (&o->image, o->path, err)))
    return false;
  if (!o->lines && !(o->lines = srcline_tables_new ()))
    return error_no_memory (err);
  if (!o->contained && o->build_id.size > 0 && !build_id_equal (&o->build_id, &o->image.build_id))
    return error_set (err, o->path, ERROR_NO_OFFSET, "another build of it was profiled");
  if (o->image.pointer_bytes != 8 || o->image.big_endian)
    return error_set (err, o->path, ERROR_NO_OFFSET, "not a library of the program's machine");
  return true;
}

/* With a build id the file is known to be the profiled one; without one only its age can be
   checked. */
static bool
is_doubtful (const struct object *o)
{
  struct stat st;
  return o->build_id.size == 0 && o->since > 0 && stat (o->path, &st) == 0
         && (uint64_t) st.st_mtim.tv_sec * 1000000000 + (uint64_t) st.st_mtim.tv_nsec > o->since;
}

/* Adds what the symbol table lacks: symbols of a debug file, and of the linkage table. */
static void
open_more (struct object *o)
{
  struct error ignored;
  image_read_stubs (&o->image);
  o->debug_path = o->image.nraw == 0 ? debug_file_find (&o->image) : NULL;
  if (o->debug_path
      && !(image_open (&o->debug, o->debug_path, &ignored)
           && image_read_symbols (&o->debug, &ignored)))
    image_close (&o->debug);
}

static bool
open_object (struct object *o, struct warnings *warnings)
{
  struct error why;
  if (!object_is_file (o) && !o->contained)
    return true;
  if (open_image (o, &why))
    {
      struct error ignored; /* a damaged table is treated as missing */
      image_read_symbols (&o->image, &ignored);
      open_more (o);
      if (o->contained || !is_doubtful (o))
        return true;
      error_set (&why, o->path, ERROR_NO_OFFSET,
                 "changed since it was profiled, and has no build id: its functions may be wrong");
      return warnings_add (warnings, &why);
    }
  image_close (&o->image);
  size_t n = strlen (why.text);
  snprintf (why.text + n, sizeof why.text - n, ": its functions are shown as one, [%s]",
            object_name (o));
  return warnings_add (warnings, &why);
}

bool
objects_finish (struct objects *all, const struct profile *p, struct warnings *warnings)
{
  if (!objects_sort (all))
    return false;
  if (all->count > 1)
    note_data (all, p);
  open_more (&all->all[0]);
  for (size_t i = 1; i < all->count; i++)
    if (all->all[i].has_data && !open_object (&all->all[i], warnings))
      return false;
  return true;
}

bool
objects_are_many (const struct objects *all)
{
  for (size_t i = 1; i < all->count; i++)
    if (all->all[i].has_data)
      return true;
  return false;
}

const char *
object_name (const struct object *o)
{
  const char *slash = strrchr (o->path, '/');
  return slash && object_is_file (o) ? slash + 1 : o->path;
}
