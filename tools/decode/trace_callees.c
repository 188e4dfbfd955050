/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what the traced calls enter, as their machine code says: the entry of a traced function
   that is called directly may be recorded as expected.  On x86-64 only; elsewhere no program
   records entries so. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/decode/trace_model.h"

/* call rel32 */
enum { CALL = 0xe8, CALL_BYTES = 5 };

/* A section of machine code, the one that was read last. */
struct code {
  const struct object *object; /* null: none was read yet */
  uint64_t start;              /* link-time address */
  size_t size;
  unsigned char *bytes; /* null: there is none */
};

static bool
is_in (const struct code *code, uint64_t address)
{
  return code->bytes && address - code->start < code->size;
}

/* Reads the code of OBJECT at ADDRESS, a link-time address.  False: it cannot be read. */
static bool
read_code (struct code *code, const struct object *object, uint64_t address)
{
  if (object == code->object && is_in (code, address))
    return true;
  free (code->bytes);
  code->object = object;
  code->bytes = image_code (&object->image, address, &code->start, &code->size);
  return is_in (code, address);
}

/* The first block of a traced function. */
struct entry {
  uint64_t address; /* of the function's entry */
  uint32_t block;
};

struct search {
  const struct objects *objects;
  struct entry *entries; /* by address */
  size_t nentries;
  struct code code;
};

static void
collect_entries (struct search *search, const struct map *map)
{
  for (size_t i = 0; i < map->count; i++)
    if (map->blocks[i].function == i && map->blocks[i].traced)
      search->entries[search->nentries++]
          = (struct entry) { .address = map->blocks[i].entry, .block = (uint32_t) i };
}

static uint32_t
block_of_entry (const struct search *search, uint64_t address)
{
  size_t at = ARRAY_BEFORE (i, search->nentries, search->entries[i].address < address);
  return at < search->nentries && search->entries[at].address == address ? search->entries[at].block
                                                                         : GRAPH_NO_BLOCK;
}

/* False: the code cannot be read. */
static bool
find_callee (struct search *search, struct graph_call *call)
{
  const struct object *object = objects_find (search->objects, call->point - 1);
  if (!object || object->image.machine != IMAGE_X86)
    return true;
  uint64_t last = call->point - object->base - 1;
  if (!read_code (&search->code, object, last))
    return false;
  size_t end = last + 1 - search->code.start;
  if (end < CALL_BYTES)
    return true; /* a shorter call, of a register, at the section's start */
  const unsigned char *bytes = search->code.bytes + end - CALL_BYTES;
  int32_t distance;
  memcpy (&distance, bytes + 1, sizeof distance);
  if (bytes[0] == CALL)
    call->callee = block_of_entry (search, call->point + (uint64_t) (int64_t) distance);
  return true;
}

bool
trace_callees_find (struct trace *t)
{
  const struct map *map = &t->located.map;
  struct search search = { .objects = &t->model.objects,
                           .entries = malloc ((map->count + 1) * sizeof (struct entry)) };
  bool ok = search.entries;
  if (ok)
    {
      collect_entries (&search, map);
      ok = array_sort_by_number (search.entries, search.nentries, sizeof *search.entries,
                                 offsetof (struct entry, address));
    }
  for (size_t i = 0; ok && i < map->ncalls; i++)
    if (!t->graph.calls[i].tail && map->blocks[t->graph.calls[i].block].traced)
      ok = find_callee (&search, &t->graph.calls[i]);
  free (search.code.bytes);
  free (search.entries);
  return ok;
}
