/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "model/languages/frame_addresses.h"
#include "tools/generated/generated_tree.h"

bool
generated_tree_want (struct generated_tree *t, const struct bbx_stacks *stacks,
                     struct kept_codes *codes)
{
  *t = (struct generated_tree) { .stacks = stacks, .addresses = frame_addresses (stacks) };
  bool ok = t->addresses != NULL;
  for (size_t i = 0; ok && i < stacks->nnodes; i++)
    ok = stacks->nodes[i].kind != BBX_FRAME_ANONYMOUS || kept_codes_want (codes, t->addresses[i]);
  return ok;
}

/* The node below PARENT that the frame I is at TIME; 0: out of memory.  *SEVERAL: at another time
   it is another. */
static uint32_t
enter (struct generated_tree *t, size_t i, uint32_t parent, uint64_t time, bool *several)
{
  const struct bbx_node *n = &t->stacks->nodes[i];
  const struct kept_code *c = NULL;
  *several = false;
  if (n->kind == BBX_FRAME_ANONYMOUS)
    c = kept_codes_at (t->codes, t->addresses[i], time, several);
  const uint32_t entered = c ? contexts_enter (&t->tree, parent, BBX_FRAME_CODE,
                                               t->base + c->place + (n->address - c->start))
                             : contexts_enter (&t->tree, parent, n->kind, n->address);
  if (entered)
    t->tree.nodes[entered].by_pointer |= n->by_pointer;
  return entered;
}

bool
generated_tree_make (struct generated_tree *t, const struct kept_codes *codes, uint64_t base)
{
  const size_t n = t->stacks->nnodes;
  t->codes = codes;
  t->base = base;
  t->varies = calloc (n + 1, sizeof *t->varies);
  t->entered = calloc (n + 1, sizeof *t->entered);
  bool ok = t->varies && t->entered && contexts_reserve (&t->tree, n);
  for (size_t i = 0; ok && i < n; i++)
    {
      const uint32_t up = t->stacks->nodes[i].parent;
      t->entered[i] = enter (t, i, up ? t->entered[up - 1] : 0, UINT64_MAX, &t->varies[i]);
      t->varies[i] |= up && t->varies[up - 1];
      ok = t->entered[i] != 0;
      if (ok)
        t->tree.nodes[t->entered[i]].ticks += t->stacks->nodes[i].ticks;
    }
  return ok;
}

/* The node of the stack that ends in the frame I at TIME; 0: out of memory. */
static uint32_t
find_at (struct generated_tree *t, size_t i, uint64_t time)
{
  const uint32_t up = t->stacks->nodes[i].parent;
  const uint32_t parent = !up                 ? 0
                          : t->varies[up - 1] ? find_at (t, up - 1, time)
                                              : t->entered[up - 1];
  bool ignored;
  return up && !parent ? 0 : enter (t, i, parent, time, &ignored);
}

bool
generated_tree_move (struct generated_tree *t, struct bbs_sample *s)
{
  if (s->context == 0 || s->context > t->stacks->nnodes)
    return true;
  const size_t i = s->context - 1;
  const uint32_t last = t->entered[i], then = t->varies[i] ? find_at (t, i, s->time) : last;
  s->context = then;
  if (then == last || then == 0)
    return then != 0;
  struct context *from = &t->tree.nodes[last];
  const uint64_t ticks = s->ticks < from->ticks ? s->ticks : from->ticks;
  from->ticks -= ticks;
  t->tree.nodes[then].ticks += ticks;
  return true;
}

/* Time in the kernel counts where the program called it. */
uint64_t
generated_tree_named (const struct generated_tree *t)
{
  uint64_t ticks = 0;
  for (size_t i = 0; i < t->stacks->nnodes; i++)
    {
      const struct bbx_node *n = &t->stacks->nodes[i], *code = n;
      while (code->parent && bbx_frame_is_kernel (code->kind))
        code = &t->stacks->nodes[code->parent - 1];
      if (code->kind == BBX_FRAME_ANONYMOUS
          && t->tree.nodes[t->entered[code - t->stacks->nodes]].kind == BBX_FRAME_CODE)
        ticks += n->ticks;
    }
  return ticks;
}

void
generated_tree_free (struct generated_tree *t)
{
  free (t->addresses);
  free (t->varies);
  free (t->entered);
  contexts_free (&t->tree);
}
