/* SPDX-License-Identifier: MIT */
/* Decodes the map of a module (bbprof-abi.h) into graphs, a function at a time; the only reader of
   maps.  All fields are checked before use, because recovery reads maps from files.  Context:
   cold. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/dump/flow.h"

const struct bbp_map_function *
bbp_map_next (const struct bbp_module *module, const struct bbp_map_function *function)
{
  const char *next = function ? (const char *) (function + 1) + function->bytes : module->map_start;
  return next < module->map_stop ? (const struct bbp_map_function *) next : NULL;
}

/* True if the record and its data are inside the map. */
static bool
is_inside (const struct bbp_module *module, const struct bbp_map_function *function)
{
  size_t left = (size_t) (module->map_stop - (const char *) function);
  return left >= sizeof *function && function->bytes <= left - sizeof *function
         && function->bytes % 4 == 0;
}

/* The unread part of a record; GOOD becomes false at the first error. */
struct reader {
  const unsigned char *next, *stop;
  bool good, wide; /* BBP_FUNCTION_WIDE */
};

#define MOST_BITS 48 /* bits of a number; more than any distance in code needs */

static struct reader
read_record (const struct bbp_map_function *function)
{
  const unsigned char *first = (const unsigned char *) (function + 1);
  return (struct reader) { first, first + function->bytes, true, false };
}

static uint64_t
take (struct reader *reader)
{
  uint64_t value = 0;
  for (unsigned shift = 0; shift < MOST_BITS && reader->next < reader->stop; shift += 7)
    {
      unsigned char byte = *reader->next++;
      value |= (uint64_t) (byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
  reader->good = false;
  return 0;
}

/* A distance in the function's code. */
static uint64_t
take_distance (struct reader *reader)
{
  uint32_t value;
  if (!reader->wide)
    return take (reader);
  if ((size_t) (reader->stop - reader->next) < sizeof value)
    {
      reader->good = false;
      return 0;
    }
  bbp_copy_bytes (&value, reader->next, sizeof value);
  reader->next += sizeof value;
  return value;
}

/* The number of items that take at least BYTES each. */
static size_t
take_number (struct reader *reader, size_t bytes)
{
  uint64_t n = take (reader);
  if (n > (size_t) (reader->stop - reader->next) / bytes)
    reader->good = false;
  return reader->good ? n : 0;
}

static void *
refer (const int32_t *field)
{
  return (void *) ((uintptr_t) field + (intptr_t) *field);
}

unsigned
bbp_map_flags (const struct bbp_map_function *function)
{
  struct reader reader = read_record (function);
  take (&reader);
  take (&reader);
  return (unsigned) take (&reader);
}

uintptr_t
bbp_map_entry (const struct bbp_module *module, const struct bbp_map_function *function)
{
  return (uintptr_t) refer (&function->text) - module->moved;
}

uintptr_t
bbp_map_cold (const struct bbp_module *module, const struct bbp_map_function *function)
{
  return function->cold ? (uintptr_t) refer (&function->cold) - module->moved : 0;
}

/* The index of the function's first counter; wrapped around: it is in front of the array. */
static size_t
first_counter (const struct bbp_module *module, const struct bbp_map_function *function)
{
  return ((uintptr_t) refer (&function->counts) - (uintptr_t) module->counts_start)
         / sizeof (int64_t);
}

/* Sets ZONE to the zone at PC that READER's next number begins; false: it is not there. */
static bool
take_zone (struct reader *reader, uintptr_t entry, uintptr_t cold, uintptr_t pc,
           struct bbp_zone *zone)
{
  uintptr_t begin = take_distance (reader), bytes = take_distance (reader),
            place = take_distance (reader);
  unsigned flags = (unsigned) take (reader);
  uintptr_t distance = pc - begin - (flags & BBP_ZONE_COLD ? cold : entry);
  *zone = (struct bbp_zone) { place + (flags & BBP_ZONE_COLD_PLACE ? cold : entry),
                              flags & BBP_ZONE_RECORDED, flags & BBP_ZONE_FULL };
  return distance < bytes || (distance == bytes && (flags & BBP_ZONE_JUMPS));
}

/* The list of zones stands at the end of the record, its size last. */
bool
bbp_map_zone (const struct bbp_module *module, const struct bbp_map_function *function,
              uintptr_t pc, struct bbp_zone *zone)
{
  if (!is_inside (module, function) || !(bbp_map_flags (function) & BBP_FUNCTION_ZONES))
    return false;
  struct reader reader = read_record (function);
  uint32_t bytes;
  const size_t room = (size_t) (reader.stop - reader.next);
  if (room < sizeof bytes)
    return false;
  reader.stop -= sizeof bytes;
  bbp_copy_bytes (&bytes, reader.stop, sizeof bytes);
  if (bytes > room - sizeof bytes)
    return false;
  reader.next = reader.stop - bytes;
  reader.wide = bbp_map_flags (function) & BBP_FUNCTION_WIDE;
  uintptr_t entry = bbp_map_entry (module, function), cold = bbp_map_cold (module, function);
  while (reader.good && reader.next < reader.stop)
    if (take_zone (&reader, entry, cold, pc, zone))
      return reader.good;
  return false;
}

bool
bbp_map_counters (const struct bbp_module *module, const struct bbp_map_function *function,
                  size_t *first, size_t *stop)
{
  const struct bbp_map_function *next = bbp_map_next (module, function);
  *first = first_counter (module, function);
  *stop = next ? first_counter (module, next) : bbp_module_ncounts (module);
  return *first <= *stop && *stop <= bbp_module_ncounts (module);
}

/* Minimum size of a block and an edge in a record, which bounds their number. */
#define BLOCK_BYTES 3
#define CALL_BYTES 2
/* besides those of its calls and successors, which have bytes of their own */
#define EDGES_OF_BLOCK 4

static size_t
graph_bytes (const struct bbp_graph *graph, size_t record)
{
  return record / BLOCK_BYTES * sizeof *graph->blocks + record / CALL_BYTES * sizeof *graph->calls
         + (record / BLOCK_BYTES * EDGES_OF_BLOCK + record) * sizeof *graph->edges
         + (1 + record / BLOCK_BYTES * 2 + record / CALL_BYTES) * sizeof *graph->nodes;
}

int
bbp_graph_make (struct bbp_graph *graph, const struct bbp_module *module)
{
  *graph = (struct bbp_graph) { .most = 0 };
  for (const struct bbp_map_function *function = NULL;
       (function = bbp_map_next (module, function));)
    if (!is_inside (module, function))
      return -EBADMSG;
    else if (function->bytes > graph->most)
      graph->most = function->bytes;
  graph->nodes = bbp_pages_map (graph_bytes (graph, graph->most));
  if (!graph->nodes)
    return -ENOMEM;
  graph->edges = (struct bbp_graph_edge *) (graph->nodes + 1 + graph->most / BLOCK_BYTES * 2
                                            + graph->most / CALL_BYTES);
  graph->blocks
      = (struct bbp_graph_block *) (graph->edges + graph->most / BLOCK_BYTES * EDGES_OF_BLOCK
                                    + graph->most);
  graph->calls = (struct bbp_graph_call *) (graph->blocks + graph->most / BLOCK_BYTES);
  return 0;
}

void
bbp_graph_free (struct bbp_graph *graph)
{
  bbp_pages_unmap (graph->nodes, graph_bytes (graph, graph->most));
}

static uint32_t
add_node (struct bbp_graph *graph)
{
  graph->nodes[graph->nnodes] = (struct bbp_graph_node) { 0 };
  return (uint32_t) graph->nnodes++;
}

static void
add_edge (struct bbp_graph *graph, uint32_t from, uint32_t to, bool counted)
{
  graph->edges[graph->nedges++]
      = (struct bbp_graph_edge) { .from = from, .to = to, .counted = counted };
  graph->ncounters += counted;
}

/* Add a call that ends SEGMENT; LAST: the last one of its block.  Returns the segment behind it, or
   SEGMENT if the call does not return. */
static uint32_t
take_call (struct bbp_graph *graph, struct reader *reader, uint32_t segment, uintptr_t *point,
           bool last)
{
  *point += take_distance (reader);
  unsigned kind = (unsigned) take (reader);
  graph->calls[graph->ncalls++] = (struct bbp_graph_call) { *point, segment, kind };
  if ((kind & BBP_CALL_FINAL) && !last)
    reader->good = false;
  if (kind & BBP_CALL_FINAL)
    return segment;
  uint32_t next = add_node (graph);
  add_edge (graph, segment, BBP_OUTSIDE, false);
  add_edge (graph, segment, next, kind & BBP_CALL_COUNTED);
  return next;
}

/* Add the block at ADDRESS. */
static void
take_block (struct bbp_graph *graph, struct reader *reader, uintptr_t address)
{
  struct bbp_graph_block *block = &graph->blocks[graph->nblocks++];
  uint32_t in = bbp_graph_in (graph->nblocks - 1), first = add_node (graph), segment = first;
  unsigned shape = (unsigned) take (reader);
  size_t ncalls = shape / BBP_BLOCK_CALLS;
  uintptr_t point = address;
  *block = (struct bbp_graph_block) { address, first, shape, (uint32_t) graph->ncalls,
                                      (uint32_t) graph->nedges };
  if (ncalls > (size_t) (reader->stop - reader->next) / CALL_BYTES)
    reader->good = false;
  add_edge (graph, in, first, shape & BBP_BLOCK_COUNTED);
  if (shape & BBP_BLOCK_IN)
    add_edge (graph, BBP_OUTSIDE, in, false);
  for (size_t i = 0; i < ncalls && reader->good; i++)
    segment = take_call (graph, reader, segment, &point, i + 1 == ncalls);
  /* A segment has one edge to outside, for all reasons together. */
  bool leaves = (shape & BBP_BLOCK_LEAVES) && segment == first;
  if (leaves || (shape & BBP_BLOCK_OUT))
    add_edge (graph, segment, BBP_OUTSIDE, false);
  for (size_t n = take_number (reader, 1); n && reader->good; n--)
    {
      uint64_t target = take (reader);
      reader->good &= target / 2 < graph->room;
      add_edge (graph, segment, bbp_graph_in (target / 2), target & 1);
    }
}

static void
take_blocks (struct bbp_graph *graph, struct reader *reader, uintptr_t cold, size_t ncold)
{
  uintptr_t address = graph->entry;
  for (size_t left = graph->room; left && reader->good; left--)
    {
      if (left == ncold)
        address = cold;
      address += take_distance (reader);
      take_block (graph, reader, address);
    }
}

/* True if the module has the function's counters. */
static bool
has_counters (const struct bbp_graph *graph, const struct bbp_module *module)
{
  uintptr_t offset = (uintptr_t) graph->counters - (uintptr_t) module->counts_start;
  size_t n = bbp_module_ncounts (module);
  return graph->ncounters == 0
         || (offset % sizeof (int64_t) == 0 && offset / sizeof (int64_t) < n
             && graph->ncounters <= n - offset / sizeof (int64_t));
}

bool
bbp_graph_read (struct bbp_graph *graph, const struct bbp_module *module,
                const struct bbp_map_function *function)
{
  struct reader reader = read_record (function);
  graph->nnodes = graph->nblocks = graph->ncalls = graph->nedges = graph->ncounters = 0;
  graph->entry = bbp_map_entry (module, function);
  graph->counters = refer (&function->counts);
  graph->moved = module->moved;
  graph->room = take_number (&reader, BLOCK_BYTES);
  size_t ncold = take (&reader);
  graph->flags = (unsigned) take (&reader);
  reader.wide = graph->flags & BBP_FUNCTION_WIDE;
  if (graph->room == 0 || ncold > graph->room || (ncold && !function->cold))
    return false;
  graph->ncold = ncold;
  for (size_t i = 0; i <= graph->room; i++) /* outside, and the blocks' entries */
    add_node (graph);
  take_blocks (graph, &reader, bbp_map_cold (module, function), ncold);
  return reader.good && has_counters (graph, module);
}
