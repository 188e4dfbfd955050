/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "model/languages/frame_addresses.h"
#include "model/languages/frames_choice.h"

static bool
is_native (const struct bbx_node *n)
{
  return n->kind != BBX_FRAME_LANGUAGE && n->kind != FRAMES_HIDDEN;
}

/* The number of the native frame that made a call in N: the next one above it.  0: none. */
static uint32_t
caller_of (const struct bbx_stacks *x, const struct bbx_node *n)
{
  uint32_t up = is_native (n) && !bbx_frame_is_kernel (n->kind) ? n->parent : 0;
  while (up > 0 && !is_native (&x->nodes[up - 1]))
    up = x->nodes[up - 1].parent;
  return up;
}

/* A return address may lie behind the end of its function.  An interrupted frame, and one that
   called the kernel, is at the instruction itself. */
uint64_t *
frame_addresses (const struct bbx_stacks *x)
{
  uint64_t *addresses = malloc ((x->nnodes + 1) * sizeof *addresses);
  for (size_t i = 0; addresses && i < x->nnodes; i++)
    {
      const struct bbx_node *n = &x->nodes[i];
      const uint32_t caller = caller_of (x, n);
      const struct bbx_node *up = caller > 0 ? &x->nodes[caller - 1] : NULL;
      addresses[i] = n->address;
      if (up && up->kind != BBX_FRAME_INTERRUPTED && up->address > 0)
        addresses[caller - 1] = up->address - 1;
    }
  return addresses;
}
