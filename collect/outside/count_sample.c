/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "collect/outside/count_sample.h"
#include "collect/outside/stack_walk.h"
#include "include/bbprof-file.h"

/* The node of FRAME below NODE; 0: out of memory. */
static uint32_t
enter_frame (struct process *p, uint32_t node, const struct bbp_frame *frame)
{
  const struct process_map *map
      = frame->mapping ? process_map_at (p, frame->address - (frame->kind == BBX_FRAME_CODE))
                       : NULL;
  if (!map || map->object == PROCESS_NO_OBJECT)
    return contexts_enter (&p->tree, node, BBX_FRAME_ANONYMOUS, frame->address);
  const struct process_object *o = &p->objects[map->object];
  return contexts_enter (&p->tree, node, frame->kind, frame->address - map->bias + o->base);
}

/* The node of the stack; 0: out of memory. */
static uint32_t
enter_stack (struct process *p, const struct process_thread *t, struct bbp_unwound stack,
             const struct bbp_frame *frames)
{
  uint32_t node = t->node;
  if (!stack.whole)
    node = node ? contexts_enter (&p->tree, node, BBX_FRAME_CUT, 0) : 0;
  for (size_t i = stack.n; i-- > 0 && node;)
    node = enter_frame (p, node, &frames[i]);
  return node;
}

/* Likewise, of the kernel, below NODE. */
static uint32_t
enter_kernel (struct process *p, uint32_t node, const struct outside_record *r)
{
  const long call = stack_system_call (p, r);
  return call >= 0 ? contexts_enter (&p->tree, node, BBX_FRAME_SYSCALL, (uint64_t) call)
                   : contexts_enter (&p->tree, node, BBX_FRAME_KERNEL, 0);
}

static void
count (struct process *p, uint32_t node, uint64_t ticks)
{
  if (node)
    p->tree.nodes[node].ticks += ticks;
  else
    p->lost_memory += ticks;
}

/* Ticks that passed in the kernel, where it allows no samples, until the thread came back into the
   program: the processor time since its last sample tells how many. */
static uint64_t
unseen (const struct outside *o, struct process_thread *t, uint64_t now)
{
  const uint64_t used = process_thread_cpu (t, now),
                 due = used > t->accounted ? (used - t->accounted) / o->period : 0;
  t->accounted += (due > 1 ? due : 1) * o->period;
  return !o->kernel && due > 1 ? due - 1 : 0;
}

bool
sample_take (struct outside *o, struct process *p, struct process_thread *t,
             const struct outside_record *r)
{
  static struct bbp_frame frames[STACK_DEPTH];
  if (t->state == THREAD_UNKNOWN)
    t->state = THREAD_ON;
  const uint64_t ticks = unseen (o, t, r->time);
  if (o->options.wants && !o->options.wants (t->tid, t->name, o->options.data))
    return true;
  const struct bbp_unwound stack = stack_walk (p, r, frames);
  const uint32_t node = enter_stack (p, t, stack, frames);
  p->samples++;
  p->cut += !stack.whole;
  p->nowhere += stack.n > 0 && frames[0].mapping == 0;
  count (p, node && r->in_kernel ? enter_kernel (p, node, r) : node, 1);
  if (ticks > 0)
    count (p, node ? contexts_enter (&p->tree, node, BBX_FRAME_KERNEL, 0) : 0, ticks);
  return node;
}
