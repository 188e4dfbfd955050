/* SPDX-License-Identifier: MIT */
/* The sidecar's chunks about stacks: how they were sampled, the threads, the mappings of objects,
   and the tree.  Context: cold, lock held. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

static void
write_how (struct bbp_out *out, const struct bbp_profile *profile)
{
  struct bbx_sampling how = bbp_collected->how;
  how.flags |= profile->estimated ? BBX_SAMPLING_ARCS : 0;
  how.samples = bbp_collected->samples;
  how.cut = bbp_collected->cut;
  for (size_t i = 0; i < profile->tree.n; i++)
    how.ticks += profile->tree.node[i].ticks;
  struct bbp_sampling_facts facts;
  bbp_dump_above.describe_sampling (&facts);
  how.wall = facts.wall;
  how.cpu = facts.cpu;
  bbp_bbx_chunk (out, BBX_TYPE_SAMPLING,
                 (const struct bbp_part[BBP_PARTS]) { { &how, sizeof how } });
}

static void
write_thread (struct bbp_out *out, const struct bbx_thread *thread)
{
  bbp_bbx_chunk (out, BBX_TYPE_THREAD,
                 (const struct bbp_part[BBP_PARTS]) { { thread, sizeof *thread } });
}

static void
write_threads (struct bbp_out *out, const struct bbp_tree *tree)
{
  static const struct bbx_thread others = { .number = BBX_THREAD_OTHERS, .name = "others" };
  struct bbx_thread thread;
  for (uint32_t number = 1; bbp_dump_above.describe_thread (number, &thread); number++)
    write_thread (out, &thread);
  for (size_t i = 0; i < tree->n; i++)
    if (tree->node[i].kind == BBX_FRAME_THREAD && tree->node[i].address == others.number)
      {
        write_thread (out, &others);
        return;
      }
}

/* At the end of the process all objects run their destructors but stay loaded. */
static bool
is_there (const struct bbp_mapping *mapping, const struct bbp_object *object)
{
  return object->presence != BBP_UNLOADED
         && mapping->virtual_offset == bbp_object_virtual (object, 0);
}

static void
write_mappings (struct bbp_out *out)
{
  for (uint32_t number = 1; number <= bbp_segments_used (&bbp_mappings); number++)
    {
      const struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
      const struct bbp_object *object
          = mapping && mapping->state != BBP_MAPPING_NONE ? bbp_mapping_object (mapping) : NULL;
      if (!object)
        continue;
      const struct bbx_place content
          = { .base = object->base,
              .start = mapping->low,
              .end = mapping->high,
              .met = mapping->first_met,
              .unloaded = is_there (mapping, object) ? 0 : mapping->unloaded };
      bbp_bbx_chunk (out, BBX_TYPE_PLACE,
                     (const struct bbp_part[BBP_PARTS]) { { &content, sizeof content } });
    }
}

enum { NUMBERS = 4 }; /* numbers for each node */

static size_t
encode (unsigned char *bytes, const struct bbp_tree *tree)
{
  unsigned char *next = bytes;
  uintptr_t before = 0;
  for (size_t i = 0; i < tree->n; i++)
    {
      const struct bbp_tree_node *node = &tree->node[i];
      next = bbp_number_put (next, i + 1 - node->parent);
      next = bbp_number_put (next, node->kind | node->by_pointer);
      next = bbp_number_put (next, bbp_number_fold (node->address - before));
      next = bbp_number_put (next, node->ticks);
      before = node->address;
    }
  return (size_t) (next - bytes);
}

static void
write_contexts (struct bbp_out *out, const struct bbp_tree *tree)
{
  const struct bbx_contexts head = { .n = tree->n };
  size_t room = (tree->n + 1) * NUMBERS * BBP_NUMBER_BYTES;
  unsigned char *bytes = bbp_pages_map (room);
  if (bytes)
    bbp_bbx_chunk (out, BBX_TYPE_CONTEXTS,
                   (const struct bbp_part[BBP_PARTS]) { { &head, sizeof head },
                                                        { bytes, encode (bytes, tree) } });
  else
    out->error = ENOMEM;
  bbp_pages_unmap (bytes, room);
}

void
bbp_tree_write (struct bbp_out *out, const struct bbp_profile *profile)
{
  if (!bbp_collected)
    return;
  write_how (out, profile);
  write_threads (out, &profile->tree);
  write_mappings (out);
  bbp_dump_above.write_languages (out);
  write_contexts (out, &profile->tree);
}
