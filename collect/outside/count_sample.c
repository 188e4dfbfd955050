/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>

#include "arch.h"
#include "collect/outside/count_sample.h"
#include "collect/outside/sample_times.h"
#include "collect/outside/stack_walk.h"
#include "include/bbprof-file.h"

/* The node of FRAME below NODE; 0: out of memory. */
static uint32_t
enter_frame (struct process *p, uint32_t node, const struct bbp_frame *frame)
{
  const uint32_t kind = frame->kind & ~BBX_FRAME_BY_POINTER;
  const struct process_map *map
      = frame->mapping ? process_map_at (p, frame->address - (kind == BBX_FRAME_CODE)) : NULL;
  if (!map || map->object == PROCESS_NO_OBJECT)
    node = contexts_enter (&p->tree, node, BBX_FRAME_ANONYMOUS, frame->address);
  else
    node = contexts_enter (&p->tree, node, kind,
                           frame->address - map->bias + p->objects[map->object].base);
  if (node)
    p->tree.nodes[node].by_pointer |= kind != frame->kind;
  return node;
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

/* Likewise, of the kernel, below NODE: the system call, then the kernel's functions as far as they
   have names. */
static uint32_t
enter_kernel (const struct outside *o, struct process *p, uint32_t node,
              const struct outside_record *r)
{
  const long call = stack_system_call (p, r);
  node = call >= 0 ? contexts_enter (&p->tree, node, BBX_FRAME_SYSCALL, (uint64_t) call)
                   : contexts_enter (&p->tree, node, BBX_FRAME_KERNEL, 0);
  for (size_t i = r->ncalls; i-- > 0 && node;)
    {
      const char *name = kernel_name_at (&o->names, r->calls[i] - (i > 0));
      if (!name)
        break;
      if (!bbx_kernel_add (&p->kernel, name))
        return 0;
      node = contexts_enter (&p->tree, node, BBX_FRAME_KERNEL_FUNCTION, bbx_kernel_number (name));
    }
  return node;
}

/* Counts a sample in NODE (0: no memory for it) that stands for TICKS. */
static void
count (struct process *p, struct process_thread *t, uint32_t node, uint64_t ticks,
       const struct bbs_sample *when)
{
  struct bbs_sample sample = *when;
  if (!node)
    {
      p->lost_memory += ticks;
      return;
    }
  p->tree.nodes[node].ticks += ticks;
  sample.context = node;
  sample.time = when->time > p->began ? when->time - p->began : 0;
  for (; ticks > 0; ticks -= sample.ticks)
    {
      sample.ticks = (uint16_t) (ticks < UINT16_MAX ? ticks : UINT16_MAX);
      sample_times_add (p, t, &sample);
    }
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

/* Makes a record of a sleeping thread from /proc.  False: the thread runs, or /proc may not be
   read. */
static bool
read_asleep (const struct process *p, const struct process_thread *t, struct outside_record *r)
{
  char name[64], text[256];
  unsigned long long sp = 0, pc = 0;
  snprintf (name, sizeof name, "/proc/%d/task/%u/syscall", (int) p->pid, t->tid);
  FILE *in = fopen (name, "re");
  const bool good = in && fgets (text, sizeof text, in)
                    && (sscanf (text, "%*d %*x %*x %*x %*x %*x %*x %llx %llx", &sp, &pc) == 2
                        || sscanf (text, "-1 %llx %llx", &sp, &pc) == 2);
  if (in)
    fclose (in);
  *r = (struct outside_record) { .in_kernel = true, .has_registers = true, .only_pc = true };
  bbp_arch_put_asleep (&r->context, sp, pc);
  return good;
}

void
sample_sleeps (struct outside *o, struct process *p, struct process_thread *t)
{
  static struct bbp_frame frames[STACK_DEPTH];
  struct outside_record r;
  if (!read_asleep (p, t, &r))
    return;
  t->state = THREAD_OFF;
  const uint32_t node = enter_stack (p, t, stack_walk (p, &r, frames), frames);
  t->asleep = node ? enter_kernel (o, p, node, &r) : 0;
}

void
sample_wakes (struct outside *o, struct process *p, struct process_thread *t, uint64_t now)
{
  if (!o->options.wall || t->state != THREAD_OFF || now <= t->since || t->left_out)
    return;
  t->waited += now - t->since;
  const uint64_t ticks = t->waited / o->period;
  t->waited -= ticks * o->period;
  if (ticks == 0)
    return;
  p->samples++;
  p->cut += !t->asleep;
  const struct bbs_sample when = { .time = now, .cpu = BBS_CPU_UNKNOWN | BBS_SLEEPS };
  const uint32_t node = t->asleep ? t->asleep
                                  : contexts_enter (&p->tree, t->node, BBX_FRAME_CUT, 0);
  count (p, t, node, ticks, &when);
}

bool
sample_take (struct outside *o, struct process *p, struct process_thread *t,
             const struct outside_record *r)
{
  static struct bbp_frame frames[STACK_DEPTH];
  if (t->state == THREAD_UNKNOWN)
    t->state = THREAD_ON;
  const uint64_t ticks = r->kind == OUTSIDE_SAMPLE ? unseen (o, t, r->time) : 0;
  t->left_out = o->options.wants && !o->options.wants (t->tid, t->name, o->options.data);
  if (t->left_out)
    return true;
  const struct bbp_unwound stack = stack_walk (p, r, frames);
  const uint32_t node = enter_stack (p, t, stack, frames);
  if (r->kind == OUTSIDE_SWITCHED)
    {
      t->asleep = node ? enter_kernel (o, p, node, r) : 0;
      return node;
    }
  p->samples++;
  p->cut += !stack.whole;
  p->nowhere += stack.n > 0 && frames[0].mapping == 0;
  const struct bbs_sample when
      = { .time = r->time, .cpu = (uint16_t) r->cpu, .flags = bbp_arch_flags (&r->context) };
  count (p, t, node && r->in_kernel ? enter_kernel (o, p, node, r) : node, 1, &when);
  if (ticks > 0)
    count (p, t, node ? contexts_enter (&p->tree, node, BBX_FRAME_KERNEL, 0) : 0, ticks, &when);
  return node;
}
