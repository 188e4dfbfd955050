/* SPDX-License-Identifier: MIT */
/* The tree of calling contexts at one moment, in virtual addresses.  Its counts are never set back:
   a reset stores the current ones in the nodes, to be subtracted.  Context: cold, lock held. */
#include <errno.h>

#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

enum { FIRST_NODES = 1024, MOST_SEGMENTS = 12 }; /* four million nodes in all */

struct bbp_segments bbp_contexts = { .kind = BBL_CONTEXTS,
                                     .first = FIRST_NODES,
                                     .segments = MOST_SEGMENTS,
                                     .bytes = sizeof (struct bbp_context) };
struct bbp_collected *bbp_collected;

static bool
is_code (uint32_t kind)
{
  return kind == BBX_FRAME_CODE || kind == BBX_FRAME_INTERRUPTED;
}

/* A node that is under construction, or damaged, becomes an unknown frame. */
static struct bbp_tree_node
describe (uint32_t number)
{
  const struct bbp_context *context = bbp_segments_at (&bbp_contexts, number);
  uint32_t mark = context ? __atomic_load_n (&context->mark, __ATOMIC_ACQUIRE) : 0;
  const uint32_t kind = (mark - 1) & ~BBX_FRAME_BY_POINTER;
  if (!mark || kind >= BBX_FRAMES || context->parent >= number)
    return (struct bbp_tree_node) { .kind = BBX_FRAME_CUT };
  struct bbp_tree_node node = { .kind = kind,
                                .by_pointer = (mark - 1) & BBX_FRAME_BY_POINTER,
                                .address = context->address,
                                .parent = context->parent };
  node.ticks = __atomic_load_n (&context->ticks, __ATOMIC_RELAXED) - context->settled;
  if (node.kind == BBX_FRAME_LANGUAGE)
    node.address = bbp_dump_above.language_address (node.address);
  uintptr_t virtual = is_code (node.kind) ? bbp_mapping_virtual (context->mapping, context->address)
                                          : 0;
  if (virtual)
    node.address = virtual;
  else if (is_code (node.kind))
    node.kind = BBX_FRAME_ANONYMOUS;
  return node;
}

static void
add_below (struct bbp_tree *tree)
{
  for (size_t i = tree->n; i-- > 0;)
    {
      struct bbp_tree_node *node = &tree->node[i];
      node->below += node->ticks;
      if (node->parent)
        tree->node[node->parent - 1].below += node->below;
    }
}

/* The start of the function, or an address in it if that is not known any more.  CALLER: the
   address is a return address. */
static uintptr_t
begin_of (uint32_t number, const struct bbp_tree_node *node, bool caller)
{
  const struct bbp_context *context = bbp_segments_at (&bbp_contexts, number);
  const struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, context->mapping);
  uintptr_t inside = context->address - caller, begin = mapping->state == BBP_MAPPING_LOADED
                                                            ? bbp_dump_above.function_begin (inside)
                                                            : 0;
  return node->address + (begin ? begin : inside) - context->address;
}

/* The frame that called it, without the frames of languages between them; null: none. */
static struct bbp_tree_node *
native_parent (const struct bbp_tree *tree, const struct bbp_tree_node *node)
{
  do
    node = node->parent ? &tree->node[node->parent - 1] : NULL;
  while (node && node->kind == BBX_FRAME_LANGUAGE);
  return (struct bbp_tree_node *) node;
}

static void
find_functions (struct bbp_tree *tree)
{
  for (size_t i = tree->n; i-- > 0;)
    {
      struct bbp_tree_node *node = &tree->node[i];
      if (!node->below || !is_code (node->kind))
        continue;
      bool caller = node->kind == BBX_FRAME_CODE && node->self;
      node->self = begin_of ((uint32_t) i + 1, node, caller);
      struct bbp_tree_node *parent = native_parent (tree, node);
      if (parent && is_code (parent->kind))
        {
          node->from = parent->address;
          parent->self = 1; /* it has called something */
        }
    }
}

int
bbp_tree_take (struct bbp_tree *tree)
{
  bbp_dump_above.settle_samples ();
  *tree = (struct bbp_tree) { .n = bbp_segments_used (&bbp_contexts) };
  tree->node = tree->n ? bbp_pages_map (tree->n * sizeof *tree->node) : NULL;
  if (tree->n && !tree->node)
    return tree->n = 0, -ENOMEM;
  for (size_t i = 0; i < tree->n; i++)
    tree->node[i] = describe ((uint32_t) i + 1);
  add_below (tree);
  find_functions (tree);
  return 0;
}

void
bbp_tree_free (struct bbp_tree *tree)
{
  bbp_pages_unmap (tree->node, tree->n * sizeof *tree->node);
  *tree = (struct bbp_tree) { 0 };
}

void
bbp_tree_reset (void)
{
  for (uint32_t number = bbp_segments_used (&bbp_contexts); number; number--)
    {
      struct bbp_context *context = bbp_segments_at (&bbp_contexts, number);
      if (context)
        context->settled = __atomic_load_n (&context->ticks, __ATOMIC_RELAXED);
    }
}
