/* SPDX-License-Identifier: MIT */
/* The sidecar gmon.out.bbx (bbprof-file.h).  Context: cold, lock held. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

static uint32_t
flags_of (const struct bbp_object *object)
{
  uint32_t flags = object == bbp_object_executable () ? BBX_OBJECT_EXECUTABLE : 0;
  if (object->presence == BBP_UNLOADED)
    flags |= BBX_OBJECT_UNLOADED;
  if (object->had_blocks || bbp_module_in (object))
    flags |= BBX_OBJECT_BLOCKS;
  return flags;
}

/* Write a chunk of TYPE: HEAD, then EDGES. */
static void
write_edges (struct bbp_out *out, uint32_t type, struct bbp_part head,
             const struct bbp_counts *edges)
{
  size_t room = bbp_edges_room (edges);
  unsigned char *bytes = room ? bbp_pages_map (room) : NULL;
  if (bytes)
    bbp_bbx_chunk (
        out, type,
        (const struct bbp_part[BBP_PARTS]) { head, { bytes, bbp_edges_encode (bytes, edges) } });
  else if (room)
    out->error = ENOMEM;
  bbp_pages_unmap (bytes, room);
}

/* Selects the jumps of VARIANT from all counted jumps, and returns them as edges. */
static int
choose_jumps (struct bbp_counts *chosen, const struct bbp_counts *jumps, uint32_t variant)
{
  const uintptr_t marks = BBP_ARC_JUMP | (uintptr_t) variant << BBP_ARC_VARIANT;
  int error = bbp_counts_make (chosen, jumps->n + 1);
  for (size_t i = 0; i < jumps->n && !error; i++)
    {
      const struct bbp_count *jump = &jumps->item[i];
      if ((jump->from & BBP_ARC_MARKS) == marks)
        bbp_counts_append (chosen, jump->from & ~BBP_ARC_MARKS,
                           jump->self == BBP_OUTSIDE_JUMP ? 0 : jump->self, jump->count);
    }
  bbp_counts_unite (chosen);
  return error;
}

/* The jumps of VARIANT.  If there are any, the edges that are counted as jumps are added. */
int
bbp_jumps_make (struct bbp_counts *jumps, const struct bbp_profile *profile, uint32_t variant)
{
  struct bbp_counts edges = { 0 };
  int error = choose_jumps (jumps, &profile->jumps, variant);
  if (!error && jumps->n)
    error = bbp_counts_add (&edges, &profile->flow.list[BBP_JUMPS]);
  if (!error && jumps->n)
    {
      bbp_counts_unite (&edges);
      error = bbp_counts_add (jumps, &edges);
    }
  bbp_counts_free (&edges);
  return error;
}

static void
write_jumps (struct bbp_out *out, const struct bbp_profile *profile, uint32_t variant)
{
  const struct bbx_jumps head = { .variant = variant };
  struct bbp_counts jumps = { 0 };
  int error = bbp_jumps_make (&jumps, profile, variant);
  if (error)
    out->error = -error;
  else
    write_edges (out, BBX_TYPE_JUMPS, (struct bbp_part) { &head, sizeof head }, &jumps);
  bbp_counts_free (&jumps);
}

/* Writes a unit with block counters, including those of Sun's tcov. */
static void
write_unit (struct bbp_out *out, const struct bb *unit)
{
  const struct bbp_object *object = bbp_object_at ((uintptr_t) unit->counts);
  const struct bbx_unit content
      = { .counters = object ? bbp_object_virtual (object, (uintptr_t) unit->counts) : 0,
          .ncounters = (uint64_t) unit->ncounts,
          .blocks = BBP_IS_EXTENDED (unit) ? 0 : (uint64_t) unit->ncounts };
  size_t bytes = content.blocks * sizeof *content.block;
  struct bbx_unit_block *blocks = bytes ? bbp_pages_map (bytes) : NULL;
  if (blocks)
    bbp_historic_describe (unit, blocks);
  if (blocks || !bytes)
    bbp_bbx_chunk (out, BBX_TYPE_UNIT,
                   (const struct bbp_part[BBP_PARTS]) {
                       { &content, sizeof content },
                       { blocks, bytes },
                       { unit->filename, bbp_string_bytes (unit->filename) } });
  else
    out->error = ENOMEM;
  bbp_pages_unmap (blocks, bytes);
}

static void
write_block_names (struct bbp_out *out, const struct bb *unit)
{
  struct bbp_block_name name;
  for (int64_t i = 0; i < unit->ncounts; i++)
    if (bbp_historic_name (unit, i, &name))
      {
        const struct bbx_block content = { .address = name.address, .line = name.line };
        const struct bbp_part parts[BBP_PARTS]
            = { { &content, sizeof content },
                { name.function, bbp_string_bytes (name.function) },
                { name.file, bbp_string_bytes (name.file) } };
        bbp_bbx_chunk (out, BBX_TYPE_BLOCK, parts);
      }
}

uint32_t
bbp_bbx_write (struct bbp_out *out, const struct bbp_profile *profile)
{
  struct bbx_loss losses[BBP_LOSSES];
  bbp_bbx_header (out);
  const uint32_t moment = bbp_bbx_run (out);
  bbp_bbx_machine (out);
  for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    bbp_bbx_object (out, object, flags_of (object));
  for (const struct bbp_open *open = profile->open; open; open = open->next)
    for (uint32_t list = 0; list < BBX_OPEN_LISTS; list++)
      {
        const struct bbx_open head
            = { .version = BBX_OPEN_VERSION, .thread = open->thread, .list = list };
        write_edges (out, BBX_TYPE_OPEN, (struct bbp_part) { &head, sizeof head },
                     &open->list[list]);
      }
  write_edges (out, BBX_TYPE_EDGES, (struct bbp_part) { NULL, 0 }, &profile->flow.list[BBP_EDGES]);
  for (uint32_t variant = 0; variant <= (BBX_JUMPS_HIDECALL | BBX_JUMPS_SHOWRET); variant++)
    write_jumps (out, profile, variant);
  bbp_dump_above.write_selection (out);
  for (const struct bb *unit = __bb_head; unit; unit = unit->next)
    write_unit (out, unit);
  FOR_EACH_HISTORIC (unit)
  write_block_names (out, unit);
  bbp_bbx_time (out);
  bbp_tree_write (out, profile);
  bbp_dump_above.write_rank (out);
  bbp_losses_gather (losses, profile);
  bbp_bbx_chunk (out, BBX_TYPE_LOSSES,
                 (const struct bbp_part[BBP_PARTS]) { { losses, sizeof losses } });
  bbp_bbx_chunk (out, BBX_TYPE_END, (const struct bbp_part[BBP_PARTS]) { { NULL, 0 } });
  return moment;
}
