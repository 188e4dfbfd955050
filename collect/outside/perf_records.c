/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of the fields of a record follows from the fields that the event asks for
   (sample_type, sample_id_all). */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "arch.h"
#include "collect/outside/perf_records.h"

enum { STACK_BYTES = 8192 };

size_t
events_describe (struct perf_event_attr events[EVENTS_MOST], const struct event_options *o)
{
  struct perf_event_attr event = {
    .type = PERF_TYPE_SOFTWARE,
    .size = sizeof event,
    .config = PERF_COUNT_SW_TASK_CLOCK,
    .sample_period = 1000000000 / o->rate,
    .read_format = PERF_FORMAT_LOST,
    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU
                   | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER
                   | PERF_SAMPLE_STACK_USER,
    .sample_regs_user = BBP_ARCH_PERF_REGISTERS,
    .sample_stack_user = STACK_BYTES,
    .inherit = 1,
    .inherit_thread = !o->children,
    .exclude_kernel = !o->kernel,
    .exclude_hv = 1,
    .exclude_callchain_user = 1,
    .exclude_callchain_kernel = !o->kernel,
    .comm = 1,
    .comm_exec = 1,
    .mmap = 1,
    .mmap2 = 1,
    .task = 1,
    .sample_id_all = 1,
    .context_switch = 1,
    .use_clockid = 1,
    .clockid = CLOCK_MONOTONIC,
    .watermark = 1,
  };
  events[EVENT_TICKS] = event;
  /* Of all threads' events only one makes each record beside the samples. */
  event.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
  event.sample_period = 1;
  event.comm = event.comm_exec = event.mmap = event.mmap2 = event.task = event.context_switch = 0;
  events[EVENT_SWITCHES] = event;
  return o->switches ? 2 : 1;
}

/* The end of each record that is no sample. */
struct record_end {
  uint32_t pid, tid;
  uint64_t time;
  uint32_t cpu, unused;
};

/* Behind the header of a sample. */
struct sample_begin {
  uint64_t address;
  uint32_t pid, tid;
  uint64_t time;
  uint32_t cpu, unused;
  uint64_t period;
};

static const void *
end_of (const struct perf_event_header *header)
{
  return (const char *) header + header->size - sizeof (struct record_end);
}

uint64_t
record_time (const void *bytes)
{
  const struct perf_event_header *header = bytes;
  uint64_t time;
  const char *at = header->type == PERF_RECORD_SAMPLE
                       ? (const char *) (header + 1) + offsetof (struct sample_begin, time)
                       : (const char *) end_of (header) + offsetof (struct record_end, time);
  memcpy (&time, at, sizeof time);
  return time;
}

/* The kernel's functions: addresses, with marks of which part follows among them. */
static void
read_calls (struct outside_record *r, const uint64_t *calls, uint64_t n)
{
  while (n > 0 && calls[0] >= (uint64_t) PERF_CONTEXT_MAX)
    calls++, n--;
  r->calls = calls;
  for (r->ncalls = 0; r->ncalls < n && calls[r->ncalls] < (uint64_t) PERF_CONTEXT_MAX;)
    r->ncalls++;
}

static void
read_sample (struct outside_record *r, const struct perf_event_header *header)
{
  const struct sample_begin *begin = (const void *) (header + 1);
  const uint64_t *next = (const void *) (begin + 1),
                 *end = (const void *) ((const char *) header + header->size);
  *r = (struct outside_record) { .kind = begin->period == 1 ? OUTSIDE_SWITCHED : OUTSIDE_SAMPLE,
                                 .time = begin->time,
                                 .pid = begin->pid,
                                 .tid = begin->tid,
                                 .cpu = begin->cpu };
  r->in_kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER;
  if (next >= end || *next > (uint64_t) (end - next) - 1)
    return;
  read_calls (r, next + 1, *next);
  next += 1 + *next;
  r->has_registers = next < end && *next++ == PERF_SAMPLE_REGS_ABI_64
                     && end - next > __builtin_popcountl (BBP_ARCH_PERF_REGISTERS);
  for (unsigned bit = 0; r->has_registers && bit < 64; bit++)
    if (BBP_ARCH_PERF_REGISTERS >> bit & 1)
      bbp_arch_take_perf_register (&r->context, bit, *next++);
  if (!r->has_registers || *next == 0 || *next / sizeof *next + 1 >= (uint64_t) (end - next))
    return;
  r->stack = (const unsigned char *) (next + 1);
  const uint64_t copied = next[1 + *next / sizeof *next];
  r->stack_bytes = copied <= *next ? copied : 0;
}

struct task { /* PERF_RECORD_FORK and PERF_RECORD_EXIT */
  struct perf_event_header header;
  uint32_t pid, parent_pid, tid, parent_tid;
};

struct comm {
  struct perf_event_header header;
  uint32_t pid, tid;
  char name[16];
};

struct mmap2 {
  struct perf_event_header header;
  uint32_t pid, tid;
  uint64_t address, length, offset;
  uint32_t major, minor;
  uint64_t inode, generation;
  uint32_t rights, flags;
  char path[];
};

struct lost {
  struct perf_event_header header;
  uint64_t id, lost;
};

static void
read_map (struct outside_record *r, const struct mmap2 *m)
{
  r->mapping = (struct object_mapping) { .low = m->address,
                                         .high = m->address + m->length,
                                         .offset = m->offset,
                                         .device = makedev (m->major, m->minor),
                                         .inode = m->inode,
                                         .path = m->path };
}

void
record_read (struct outside_record *r, const void *bytes)
{
  const struct perf_event_header *header = bytes;
  if (header->type == PERF_RECORD_SAMPLE)
    {
      read_sample (r, header);
      return;
    }
  const struct record_end *end = end_of (header);
  const struct task *task = bytes;
  const struct comm *comm = bytes;
  *r = (struct outside_record) {
    .kind = OUTSIDE_OTHER, .time = end->time, .pid = end->pid, .tid = end->tid, .cpu = end->cpu
  };
  switch (header->type)
    {
    case PERF_RECORD_SWITCH:
      r->kind = header->misc & PERF_RECORD_MISC_SWITCH_OUT ? OUTSIDE_OUT : OUTSIDE_IN;
      r->preempted = header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
      break;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
      r->kind = header->type == PERF_RECORD_FORK ? OUTSIDE_FORK : OUTSIDE_EXIT;
      r->pid = task->pid;
      r->tid = task->tid;
      r->parent_pid = task->parent_pid;
      r->parent_tid = task->parent_tid;
      break;
    case PERF_RECORD_COMM:
      r->kind = header->misc & PERF_RECORD_MISC_COMM_EXEC ? OUTSIDE_EXEC : OUTSIDE_NAME;
      r->pid = comm->pid;
      r->tid = comm->tid;
      snprintf (r->name, sizeof r->name, "%.15s", comm->name);
      break;
    case PERF_RECORD_MMAP2:
      r->kind = OUTSIDE_MAP;
      read_map (r, bytes);
      break;
    case PERF_RECORD_LOST:
      r->kind = OUTSIDE_LOST;
      r->lost = ((const struct lost *) bytes)->lost;
      break;
    default: break;
    }
}
