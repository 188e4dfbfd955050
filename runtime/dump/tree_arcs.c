/* SPDX-License-Identifier: MIT */
/* A call graph for programs without instrumented calls.  Each pair of frames in the tree makes an
   arc.  Its count is the number of ticks in which the call was active. gprof distributes time to
   callers by the counts of arcs, so the result is the measured distribution.  Context: cold, lock
   held. */
#include <errno.h>

#include "runtime/dump/dump.h"

/* In a recursion a call is active more than once in one stack, and counts once. */
static bool
is_again (const struct bbp_tree *tree, const struct bbp_tree_node *node)
{
  for (uint32_t parent = node->parent; parent; parent = tree->node[parent - 1].parent)
    if (tree->node[parent - 1].self == node->self && tree->node[parent - 1].from == node->from)
      return true;
  return false;
}

int
bbp_tree_arcs (struct bbp_counts *arcs, const struct bbp_tree *tree)
{
  for (size_t i = 0; i < tree->n; i++)
    {
      const struct bbp_tree_node *node = &tree->node[i];
      if (node->self && !is_again (tree, node)
          && !bbp_counts_put (arcs, node->from, node->self, node->below))
        return -ENOMEM;
    }
  bbp_counts_unite (arcs);
  return 0;
}
