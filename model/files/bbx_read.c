/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "common/array.h"
#include "model/files/bbx_numbers.h"
#include "model/files/bbx_read.h"

#define TRACE_SUFFIX ".bbt"

/* No content is larger, except lists of edges, functions and blocks; a larger one is damage. */
#define CONTENT_MOST (1UL << 20)
#define LIST_MOST (1UL << 32)

/* More than any process has; all pairs of objects are compared. */
#define OBJECTS_MOST 16384

/* Objects end below this, so that no sum of addresses overflows. */
#define ADDRESS_MOST (1UL << 56)

struct reader {
  struct bbx *x;
  FILE *file;
  uint64_t offset, size; /* of the next byte; of the file */
  uint64_t place;        /* of the current header or chunk */
  uint32_t moment;       /* in the profile; 0: none */
  bool ended;            /* the last chunk was read */
};

static bool
fail (struct reader *r, enum bbx_state state, const char *text)
{
  r->x->state = state;
  return error_set (&r->x->why, r->x->name, r->place, "%s%s", text,
                    state == BBX_TORN ? ": using the data before it" : "; the sidecar is not used");
}

static bool
take (struct reader *r, void *to, size_t n)
{
  if (n > r->size - r->offset || fread (to, 1, n, r->file) != n)
    return fail (r, BBX_TORN, "the file ends too early");
  r->offset += n;
  return true;
}

/* The contents of chunks.  CONTENT has SIZE bytes and a zero behind them. */

static bool
add_run (struct reader *r, const char *content, size_t size)
{
  struct bbx *x = r->x;
  struct bbx_process new = { .program = NULL };
  if (size < sizeof new.fixed)
    return fail (r, BBX_TORN, "damaged description of the run");
  memcpy (&new.fixed, content, sizeof new.fixed);
  if (r->moment && GMON_MOMENT (new.fixed.wall) != r->moment)
    return fail (r, BBX_REFUSED,
                 "it belongs to another dump than the profile (was the process killed?)");
  if (!array_grow (&x->processes, x->nprocesses, &x->room_processes, sizeof *x->processes)
      || (content[sizeof new.fixed] != '\0'
          && !(new.program = strdup (content + sizeof new.fixed))))
    return fail (r, BBX_REFUSED, "out of memory");
  x->processes[x->nprocesses++] = new;
  return true;
}

static bool
is_possible (const struct bbx_object *o, size_t size, bool first)
{
  return (o->flags & BBX_OBJECT_EXECUTABLE ? o->base == 0 : o->base != 0)
         && o->base % BBX_BASE_UNIT == 0 && first == ((o->flags & BBX_OBJECT_EXECUTABLE) != 0)
         && o->base < ADDRESS_MOST && o->end < ADDRESS_MOST && o->start < o->end
         && o->path_bytes > 0
         && (o->text_start >= o->text_end /* none */
             || (o->start <= o->text_start && o->text_end <= o->end))
         && (uint64_t) o->build_id_bytes + o->path_bytes <= size - sizeof *o;
}

/* Does it overlap an earlier object? */
static bool
overlaps (const struct bbx *x, const struct bbx_object *o)
{
  for (size_t i = 0; i < x->nobjects; i++)
    {
      const struct bbx_object *p = &x->objects[i].fixed;
      if (o->base + o->start < p->base + p->end && p->base + p->start < o->base + o->end)
        return true;
    }
  return false;
}

static bool
add_object (struct reader *r, const char *content, size_t size)
{
  struct bbx *x = r->x;
  struct bbx_run_object new = { .path = NULL };
  if (size < sizeof new.fixed)
    return fail (r, BBX_TORN, "damaged description of an object");
  memcpy (&new.fixed, content, sizeof new.fixed);
  const char *path = content + sizeof new.fixed + new.fixed.build_id_bytes;
  if (x->nobjects == OBJECTS_MOST)
    return fail (r, BBX_TORN, "more objects than a process can have");
  if (!is_possible (&new.fixed, size, x->nobjects == 0) || overlaps (x, &new.fixed)
      || path[new.fixed.path_bytes - 1] != '\0')
    return fail (r, BBX_TORN, "damaged description of an object");
  build_id_set (&new.build_id, content + sizeof new.fixed, new.fixed.build_id_bytes);
  if (!array_grow (&x->objects, x->nobjects, &x->room_objects, sizeof *x->objects)
      || !(new.path = strdup (path)))
    return fail (r, BBX_REFUSED, "out of memory");
  x->objects[x->nobjects++] = new;
  return true;
}

/* The image of an object that was read before. */
static bool
add_image (struct reader *r, const char *content, size_t size)
{
  struct bbx *x = r->x;
  struct bbx_image fixed;
  if (size < sizeof fixed)
    return fail (r, BBX_TORN, "damaged image of an object");
  memcpy (&fixed, content, sizeof fixed);
  size_t i = 0;
  while (i < x->nobjects && x->objects[i].fixed.base != fixed.base)
    i++;
  if (i == x->nobjects || fixed.base == 0 || x->objects[i].image)
    return fail (r, BBX_TORN, "an image of no object that needs one");
  struct bbx_run_object *o = &x->objects[i];
  o->image_bytes = size - sizeof fixed;
  o->image = malloc (o->image_bytes + 1);
  if (!o->image)
    return fail (r, BBX_REFUSED, "out of memory");
  memcpy (o->image, content + sizeof fixed, o->image_bytes);
  return true;
}

/* Appends the edges of CONTENT to the N in LIST. */
static bool
take_edges (struct reader *r, const char *content, size_t size, struct edge **list, size_t *n,
            size_t *room)
{
  const unsigned char *next = (const unsigned char *) content, *stop = next + size;
  uint64_t before = 0;
  while (next < stop)
    {
      struct edge e;
      if (!bbx_number (&next, stop, &e.from) || !bbx_number (&next, stop, &e.to)
          || !bbx_number (&next, stop, &e.count))
        return fail (r, BBX_TORN, "damaged list of edges");
      e.from = before += bbx_unfold (e.from);
      e.to = e.from + bbx_unfold (e.to);
      if (!array_grow (list, *n, room, sizeof **list))
        return fail (r, BBX_REFUSED, "out of memory");
      (*list)[(*n)++] = e;
    }
  return true;
}

static bool
add_edges (struct reader *r, const char *content, size_t size)
{
  struct bbx *x = r->x;
  return take_edges (r, content, size, &x->edges, &x->nedges, &x->room_edges);
}

/* The older form: calls of all threads, below 0 for fewer. */
static bool
add_signed_open (struct reader *r, const char *content, size_t size)
{
  struct bbx_edge_list all = { 0 };
  bool ok = take_edges (r, content, size, &all.list, &all.count, &all.room);
  for (size_t i = 0; ok && i < all.count; i++)
    {
      struct edge *e = &all.list[i];
      const bool fewer = (int64_t) e->count < 0;
      struct bbx_edge_list *to = &r->x->open[fewer ? BBX_OPEN_FEWER : BBX_OPEN_MORE];
      e->count = fewer ? -e->count : e->count;
      ok = array_grow (&to->list, to->count, &to->room, sizeof *to->list)
           || fail (r, BBX_REFUSED, "out of memory");
      if (ok)
        to->list[to->count++] = *e;
    }
  free (all.list);
  return ok;
}

static bool
add_open (struct reader *r, const char *content, size_t size)
{
  struct bbx_open fixed = { 0 };
  memcpy (&fixed, content, size < sizeof fixed ? size : sizeof fixed);
  if (fixed.version != BBX_OPEN_VERSION)
    return add_signed_open (r, content, size);
  if (size < sizeof fixed || fixed.list >= BBX_OPEN_LISTS)
    return fail (r, BBX_TORN, "damaged list of open counts");
  struct bbx_edge_list *list = &r->x->open[fixed.list];
  return take_edges (r, content + sizeof fixed, size - sizeof fixed, &list->list, &list->count,
                     &list->room);
}

static bool
add_jumps (struct reader *r, const char *content, size_t size)
{
  struct bbx *x = r->x;
  struct bbx_jumps fixed;
  if (size < sizeof fixed)
    return fail (r, BBX_TORN, "damaged list of jumps");
  memcpy (&fixed, content, sizeof fixed);
  if (fixed.variant >= BBX_JUMPS_VARIANTS)
    return fail (r, BBX_TORN, "unknown variant of jumps");
  x->jumps_variants |= 1U << fixed.variant;
  struct bbx_edge_list *jumps = &x->jumps[fixed.variant];
  return take_edges (r, content + sizeof fixed, size - sizeof fixed, &jumps->list, &jumps->count,
                     &jumps->room);
}

/* Reads two strings, each terminated, between NAMES and END, into new memory; *SECOND points into
   it.  Null: damaged, reported as TEXT, or out of memory. */
static char *
take_names (struct reader *r, const char *names, const char *end, char **second, const char *text)
{
  const char *middle = memchr (names, '\0', (size_t) (end - names));
  if (!middle || !memchr (middle + 1, '\0', (size_t) (end - middle - 1)))
    {
      fail (r, BBX_TORN, text);
      return NULL;
    }
  char *copy = malloc ((size_t) (end - names));
  if (!copy)
    {
      fail (r, BBX_REFUSED, "out of memory");
      return NULL;
    }
  memcpy (copy, names, (size_t) (end - names));
  *second = copy + (middle + 1 - names);
  return copy;
}

static bool
add_word (struct reader *r, const char *content, size_t size)
{
  static const char damaged[] = "damaged word of a selection";
  struct bbx *x = r->x;
  struct bbx_select fixed;
  if (size < sizeof fixed)
    return fail (r, BBX_TORN, damaged);
  memcpy (&fixed, content, sizeof fixed);
  const char *functions = content + sizeof fixed;
  if (fixed.functions > (size - sizeof fixed) / sizeof *fixed.function)
    return fail (r, BBX_TORN, damaged);
  size_t bytes = fixed.functions * sizeof *fixed.function;
  struct bbx_run_word new = { .flags = fixed.flags, .nfunctions = fixed.functions };
  if (!array_grow (&x->words, x->nwords, &x->room_words, sizeof *x->words)
      || !(new.functions = malloc (bytes + 1)))
    return fail (r, BBX_REFUSED, "out of memory");
  memcpy (new.functions, functions, bytes);
  new.name = take_names (r, functions + bytes, content + size, &new.file, damaged);
  x->words[x->nwords++] = new;
  return new.name != NULL;
}

static bool
add_block (struct reader *r, const char *content, size_t size)
{
  struct bbx *x = r->x;
  struct bbx_block fixed;
  static const char damaged[] = "damaged names of a block";
  if (size < sizeof fixed)
    return fail (r, BBX_TORN, damaged);
  memcpy (&fixed, content, sizeof fixed);
  if (fixed.address >= ADDRESS_MOST)
    return fail (r, BBX_TORN, damaged);
  struct bbx_run_block new = { .address = fixed.address, .line = fixed.line };
  if (!array_grow (&x->blocks, x->nblocks, &x->room_blocks, sizeof *x->blocks))
    return fail (r, BBX_REFUSED, "out of memory");
  new.function = take_names (r, content + sizeof fixed, content + size, &new.file, damaged);
  if (!new.function)
    return false;
  x->blocks[x->nblocks++] = new;
  return true;
}

static bool
add_unit (struct reader *r, const char *content, size_t size)
{
  static const char damaged[] = "damaged description of a unit";
  struct bbx *x = r->x;
  struct bbx_unit fixed;
  if (size < sizeof fixed)
    return fail (r, BBX_TORN, damaged);
  memcpy (&fixed, content, sizeof fixed);
  size_t left = size - sizeof fixed;
  if (fixed.blocks > left / sizeof *fixed.block)
    return fail (r, BBX_TORN, damaged);
  size_t bytes = fixed.blocks * sizeof *fixed.block;
  const char *name = content + sizeof fixed + bytes;
  if (!memchr (name, '\0', left - bytes))
    return fail (r, BBX_TORN, damaged);
  struct bbx_run_unit new
      = { .counters = fixed.counters, .ncounters = fixed.ncounters, .nblocks = fixed.blocks };
  if (!array_grow (&x->units, x->nunits, &x->room_units, sizeof *x->units)
      || !(new.blocks = malloc (bytes + 1)))
    return fail (r, BBX_REFUSED, "out of memory");
  memcpy (new.blocks, content + sizeof fixed, bytes);
  new.name = strdup (name);
  x->units[x->nunits++] = new;
  return new.name || fail (r, BBX_REFUSED, "out of memory");
}

static bool
add_losses (struct reader *r, const char *content, size_t size)
{
  struct bbx *x = r->x;
  if (size % sizeof *x->losses != 0 || x->has_losses)
    return fail (r, BBX_TORN, "damaged list of losses");
  if (!(x->losses = malloc (size + 1)))
    return fail (r, BBX_REFUSED, "out of memory");
  memcpy (x->losses, content, size);
  x->nlosses = size / sizeof *x->losses;
  for (size_t i = 0; i < x->nlosses; i++)
    x->losses[i].cause[sizeof x->losses[i].cause - 1] = '\0';
  return x->has_losses = true;
}

static bool
add_machine (struct reader *r, const char *content, size_t size)
{
  struct bbx *x = r->x;
  struct bbx_machine machine;
  if (size < sizeof machine)
    return fail (r, BBX_TORN, "damaged record of the machine");
  memcpy (&machine, content, sizeof machine);
  machine.system[sizeof machine.system - 1] = '\0';
  machine.processor[sizeof machine.processor - 1] = '\0';
  if (!array_grow (&x->machines, x->nmachines, &x->room_machines, sizeof *x->machines))
    return fail (r, BBX_REFUSED, "out of memory");
  x->machines[x->nmachines++] = machine;
  return true;
}

static bool
add_time (struct reader *r, const char *content, size_t size)
{
  struct bbx_time *time = &r->x->time;
  if (size < sizeof *time || time->ticks != 0)
    return fail (r, BBX_TORN, "damaged record of the ticks");
  memcpy (time, content, sizeof *time);
  return (time->ticks != 0 && time->due != 0) || fail (r, BBX_TORN, "damaged record of the ticks");
}

/* WRONG: what is wrong with content of stacks, or null. */
static bool
judge (struct reader *r, const char *wrong)
{
  return !wrong || fail (r, wrong == bbx_stacks_no_memory ? BBX_REFUSED : BBX_TORN, wrong);
}

static bool
add_sampling (struct reader *r, const char *content, size_t size)
{
  return judge (r, bbx_stacks_add_sampling (&r->x->stacks, content, size));
}

static bool
add_thread (struct reader *r, const char *content, size_t size)
{
  return judge (r, bbx_stacks_add_thread (&r->x->stacks, content, size));
}

static bool
add_kernel (struct reader *r, const char *content, size_t size)
{
  return judge (r, bbx_stacks_add_kernel (&r->x->stacks, content, size));
}

static bool
add_contexts (struct reader *r, const char *content, size_t size)
{
  return judge (r, bbx_stacks_add_contexts (&r->x->stacks, content, size));
}

static bool
add_language (struct reader *r, const char *content, size_t size)
{
  return judge (r, bbx_languages_add (&r->x->stacks.languages, content, size));
}

static bool
add_language_function (struct reader *r, const char *content, size_t size)
{
  return judge (r, bbx_languages_add_function (&r->x->stacks.languages, content, size));
}

static bool
add_rank (struct reader *r, const char *content, size_t size)
{
  return judge (r, bbx_ranks_add (&r->x->ranks, content, size));
}

/* Chunks. */

static bool (*content_reader (uint32_t type)) (struct reader *, const char *, size_t)
{
  return type == BBX_TYPE_RUN        ? add_run
         : type == BBX_TYPE_OBJECT   ? add_object
         : type == BBX_TYPE_IMAGE    ? add_image
         : type == BBX_TYPE_EDGES    ? add_edges
         : type == BBX_TYPE_OPEN     ? add_open
         : type == BBX_TYPE_JUMPS    ? add_jumps
         : type == BBX_TYPE_SELECT   ? add_word
         : type == BBX_TYPE_BLOCK    ? add_block
         : type == BBX_TYPE_UNIT     ? add_unit
         : type == BBX_TYPE_LOSSES   ? add_losses
         : type == BBX_TYPE_MACHINE  ? add_machine
         : type == BBX_TYPE_TIME     ? add_time
         : type == BBX_TYPE_SAMPLING ? add_sampling
         : type == BBX_TYPE_THREAD   ? add_thread
         : type == BBX_TYPE_KERNEL   ? add_kernel
         : type == BBX_TYPE_CONTEXTS ? add_contexts
         : type == BBX_TYPE_LANGUAGE ? add_language
         : type == BBX_TYPE_FUNCTION ? add_language_function
         : type == BBX_TYPE_RANK     ? add_rank
                                     : NULL;
}

static bool
is_list (uint32_t type)
{
  return type == BBX_TYPE_EDGES || type == BBX_TYPE_OPEN || type == BBX_TYPE_JUMPS
         || type == BBX_TYPE_SELECT || type == BBX_TYPE_IMAGE || type == BBX_TYPE_UNIT
         || type == BBX_TYPE_KERNEL || type == BBX_TYPE_CONTEXTS || type == BBX_TYPE_RANK;
}

/* Skips the content of an unknown type, and computes its checksum. */
static bool
skip_content (struct reader *r, uint64_t length, uLong *crc)
{
  unsigned char buffer[16384];
  while (length > 0)
    {
      size_t n = length < sizeof buffer ? (size_t) length : sizeof buffer;
      if (!take (r, buffer, n))
        return false;
      *crc = crc32_z (*crc, buffer, n);
      length -= n;
    }
  return true;
}

static bool
check (struct reader *r, const struct bbx_chunk *chunk, uLong crc)
{
  return crc == chunk->crc || fail (r, BBX_TORN, "damaged: wrong checksum");
}

/* Skips the file of times without its checksum: it is as long as the run, and has checksums of
   its own. */
static bool
skip_stream (struct reader *r, uint64_t length)
{
  if (fseeko (r->file, (off_t) length, SEEK_CUR) != 0)
    return fail (r, BBX_TORN, "the file cannot be read");
  r->offset += length;
  return true;
}

static bool
read_content (struct reader *r, const struct bbx_chunk *chunk, uLong crc)
{
  bool (*add) (struct reader *, const char *, size_t) = content_reader (chunk->type);
  if (chunk->type == BBX_TYPE_STREAM)
    return skip_stream (r, chunk->length);
  if (!add)
    return skip_content (r, chunk->length, &crc) && check (r, chunk, crc);
  if (chunk->length > (is_list (chunk->type) ? LIST_MOST : CONTENT_MOST))
    return fail (r, BBX_TORN, "damaged: chunk too long");
  size_t size = (size_t) chunk->length;
  char *content = calloc (1, size + 1);
  if (!content)
    return fail (r, BBX_REFUSED, "out of memory");
  bool ok = take (r, content, size)
            && check (r, chunk, crc32_z (crc, (unsigned char *) content, size))
            && add (r, content, size);
  free (content);
  return ok;
}

/* To the next multiple of 8. */
static bool
skip_padding (struct reader *r)
{
  char padding[8];
  return take (r, padding, (size_t) (-r->offset & 7));
}

static bool
read_chunk (struct reader *r)
{
  struct bbx_chunk chunk;
  r->place = r->offset;
  if (!take (r, &chunk, sizeof chunk))
    return false;
  if (chunk.length > r->size - r->offset)
    return fail (r, BBX_TORN, "the file ends too early");
  uLong crc = crc32_z (0, (unsigned char *) &chunk.type, sizeof chunk.type);
  crc = crc32_z (crc, (unsigned char *) &chunk.length, sizeof chunk.length);
  r->ended = chunk.type == BBX_TYPE_END;
  return read_content (r, &chunk, crc) && skip_padding (r);
}

static bool
read_header (struct reader *r, uint64_t run)
{
  struct bbx_header header;
  if (!take (r, &header, sizeof header))
    return fail (r, BBX_REFUSED, "the file ends inside its header");
  if (memcmp (header.magic, BBX_MAGIC, sizeof header.magic) != 0)
    return fail (r, BBX_REFUSED, "not a sidecar of a profile");
  if (header.version != BBX_VERSION)
    return fail (r, BBX_REFUSED, "unsupported version; write the profile again with this bbprof");
  if (header.bytes < sizeof header || header.bytes % 8 != 0 || header.bytes > r->size)
    return fail (r, BBX_REFUSED, "damaged header");
  if (header.run != run)
    return fail (r, BBX_REFUSED, "it is of another run than the profile");
  for (uint64_t left = header.bytes - sizeof header; left > 0; left -= 8)
    {
      char unknown[8];
      if (!take (r, unknown, sizeof unknown))
        return false;
    }
  return true;
}

/* False: no sidecar, or it cannot be opened. */
static bool
open_file (struct reader *r)
{
  struct stat st;
  bool there = stat (r->x->name, &st) == 0;
  if (!there && errno == ENOENT)
    return error_set (&r->x->why, r->x->name, ERROR_NO_OFFSET, "%s", strerror (errno));
  r->x->state = BBX_REFUSED;
  if (there && !S_ISREG (st.st_mode)) /* checked first: opening a FIFO would wait for a writer */
    return error_set (&r->x->why, r->x->name, ERROR_NO_OFFSET,
                      "not a regular file, so not a sidecar");
  r->file = fopen (r->x->name, "rb");
  if (!r->file || fstat (fileno (r->file), &st) != 0)
    return error_set (&r->x->why, r->x->name, ERROR_NO_OFFSET, "cannot open the sidecar: %s",
                      strerror (errno));
  r->size = (uint64_t) st.st_size;
  return true;
}

void
bbx_read (struct bbx *x, const char *profile, uint64_t run, uint32_t moment)
{
  struct reader r = { .x = x, .moment = moment };
  size_t size = strlen (profile) + sizeof BBX_SUFFIX;
  memset (x, 0, sizeof *x);
  x->name = malloc (size);
  if (!x->name)
    {
      x->state = BBX_REFUSED;
      error_no_memory (&x->why);
      return;
    }
  snprintf (x->name, size, "%s" BBX_SUFFIX, profile);
  if (open_file (&r) && read_header (&r, run))
    {
      bool ok = true;
      while (ok && !r.ended)
        ok = read_chunk (&r);
      if (ok)
        x->state = BBX_WHOLE;
      if (!bbx_stacks_finish (&x->stacks))
        fail (&r, BBX_REFUSED, bbx_stacks_no_memory);
    }
  if (r.file)
    fclose (r.file);
}

void
bbx_free (struct bbx *x)
{
  for (size_t i = 0; i < x->nobjects; i++)
    {
      free (x->objects[i].path);
      free (x->objects[i].image);
    }
  free (x->objects);
  free (x->edges);
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    free (x->open[i].list);
  for (int i = 0; i < BBX_JUMPS_VARIANTS; i++)
    free (x->jumps[i].list);
  for (size_t i = 0; i < x->nwords; i++)
    {
      free (x->words[i].functions);
      free (x->words[i].name);
    }
  free (x->words);
  for (size_t i = 0; i < x->nblocks; i++)
    free (x->blocks[i].function);
  free (x->blocks);
  for (size_t i = 0; i < x->nunits; i++)
    {
      free (x->units[i].blocks);
      free (x->units[i].name);
    }
  free (x->units);
  free (x->losses);
  free (x->machines);
  bbx_stacks_free (&x->stacks);
  bbx_ranks_free (&x->ranks);
  for (size_t i = 0; i < x->nprocesses; i++)
    free (x->processes[i].program);
  free (x->processes);
  free (x->name);
  memset (x, 0, sizeof *x);
}

bool
bbx_is_name (const char *name)
{
  size_t n = strlen (name), suffix = sizeof BBX_SUFFIX - 1;
  return n > suffix
         && (strcmp (name + n - suffix, BBX_SUFFIX) == 0
             || strcmp (name + n - suffix, TRACE_SUFFIX) == 0);
}
