/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "model/languages/frames_choice.h"

static bool
is_language (const struct bbx_node *n)
{
  return n->kind == BBX_FRAME_LANGUAGE;
}

/* For each node: is there a frame of a language above it; beneath it? */
static void
find_spoken (const struct bbx_stacks *x, bool *above, bool *below)
{
  for (size_t i = 0; i < x->nnodes; i++)
    above[i]
        = x->nodes[i].parent > 0
          && (is_language (&x->nodes[x->nodes[i].parent - 1]) || above[x->nodes[i].parent - 1]);
  for (size_t i = x->nnodes; i-- > 0;)
    if (x->nodes[i].parent > 0)
      below[x->nodes[i].parent - 1] |= is_language (&x->nodes[i]) || below[i];
}

static bool
hides_native (const struct bbx_node *n, bool spoken)
{
  return spoken && !is_language (n) && n->kind != BBX_FRAME_THREAD;
}

bool
frames_choose (struct bbx_stacks *x, enum frames_shown shown)
{
  if (shown == FRAMES_BOTH)
    return true;
  bool *above = calloc (x->nnodes + 1, sizeof *above),
       *below = calloc (x->nnodes + 1, sizeof *below);
  bool ok = above && below;
  if (ok)
    find_spoken (x, above, below);
  for (size_t i = 0; ok && i < x->nnodes; i++)
    if (shown == FRAMES_NATIVE ? is_language (&x->nodes[i])
                               : hides_native (&x->nodes[i], above[i] || below[i]))
      x->nodes[i].kind = FRAMES_HIDDEN;
  free (below);
  free (above);
  return ok;
}
