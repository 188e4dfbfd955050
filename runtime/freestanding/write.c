/* SPDX-License-Identifier: MIT */
/* gmon.out without an operating system: the counters at one moment, evaluated function by
   function.  Addresses in the file are those of link time. */
#include <elf.h>
#include <errno.h>

#include "include/bbprof-freestanding.h"
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/dump/records.h"
#include "runtime/freestanding/freestanding.h"

#pragma GCC visibility push(default)
size_t bbprof_counts_memory (void);
int bbprof_write_counts (long (*) (void *, const void *, size_t), void *, void *, size_t);
#pragma GCC visibility pop

/* One profile. */
struct job {
  struct bbp_out *out;
  uintptr_t bias; /* run-time address - link-time address */
  struct bbp_module module;
  int64_t *totals; /* the counters at the beginning, because the user's writer may count */
  /* First blocks of functions with calls counted as arcs; COUNT: their number, from 1. */
  struct bbp_counts entries;
  uint64_t *outside; /* for each of them: entries that no arc explains */
  struct bbp_graph graph;
  struct bbp_count *blocks; /* the blocks of one function */
};

/* Present if the linker's script has room for it. */
extern const Elf64_Ehdr __ehdr_start __attribute__ ((weak, visibility ("hidden")));

static uintptr_t
find_bias (void)
{
  const Elf64_Ehdr *header = &__ehdr_start;
  return header && header->e_type == ET_DYN ? (uintptr_t) header : 0;
}

static size_t
count_functions (const struct bbp_module *module)
{
  size_t n = 0;
  for (const struct bbp_map_function *function = NULL;
       (function = bbp_map_next (module, function));)
    n += (bbp_map_flags (function) & BBP_FUNCTION_ARCS) != 0;
  return n;
}

/* Requests all memory, even if the first part is not available, so that the total is known.  0
   or -errno. */
static int
prepare (struct job *job)
{
  int damaged = bbp_graph_make (&job->graph, &job->module);
  if (damaged == -EBADMSG)
    return damaged;
  size_t n = count_functions (&job->module);
  int missing = bbp_counts_make (&job->entries, n);
  job->outside = bbp_pages_map (n * sizeof *job->outside);
  job->totals = bbp_pages_map (bbp_module_ncounts (&job->module) * sizeof *job->totals);
  job->blocks = bbp_pages_map (job->graph.most * sizeof *job->blocks);
  return !damaged && !missing && job->outside && job->totals && job->blocks ? 0 : -ENOMEM;
}

static void
read_counts (struct job *job)
{
  for (size_t i = 0; i < bbp_module_ncounts (&job->module); i++)
    job->totals[i] = __atomic_load_n (&job->module.counts_start[i], __ATOMIC_RELAXED);
}

static void
find_entries (struct job *job)
{
  for (const struct bbp_map_function *function = NULL;
       (function = bbp_map_next (&job->module, function));)
    if (bbp_map_flags (function) & BBP_FUNCTION_ARCS)
      bbp_counts_append (&job->entries, 0, bbp_map_entry (&job->module, function), 1);
  bbp_counts_unite (&job->entries);
  for (size_t i = 0; i < job->entries.n; i++)
    job->entries.item[i].count = i + 1;
}

static uint64_t *
outside_of (struct job *job, uintptr_t entry)
{
  return &job->outside[bbp_counts_of (&job->entries, 0, entry) - 1];
}

static void
write_blocks (struct job *job)
{
  const struct bbp_graph *graph = &job->graph;
  size_t n = 0;
  for (size_t i = 0; i < graph->nblocks; i++)
    {
      uint64_t count = graph->nodes[bbp_graph_in (i)].passed;
      if (count)
        job->blocks[n++] = (struct bbp_count) { 0, graph->blocks[i].address - job->bias, count };
    }
  bbp_record_blocks (job->out, job->blocks, n);
}

static void
write_calls (struct job *job)
{
  const struct bbp_graph *graph = &job->graph;
  *outside_of (job, graph->entry) += bbp_flow_entries (graph);
  for (size_t i = 0; i < graph->ncalls; i++)
    {
      const struct bbp_graph_call *call = &graph->calls[i];
      uint64_t count = bbp_flow_calls (graph, call);
      uintptr_t from, self;
      if (!count || !(call->kind & BBP_CALL_DIRECT)
          || !bbp_calls_direct (&job->entries, call->point, call->kind & BBP_CALL_TAIL, &from,
                                &self))
        continue;
      *outside_of (job, self) -= count;
      bbp_record_arc (job->out, &(struct bbp_count) { from - job->bias, self - job->bias, count });
    }
}

/* 0 or -errno. */
static int
write_functions (struct job *job)
{
  struct bbp_graph *graph = &job->graph;
  for (const struct bbp_map_function *function = NULL;
       (function = bbp_map_next (&job->module, function));)
    {
      if (!bbp_graph_read (graph, &job->module, function)
          || !bbp_flow_derive (graph, job->totals + (graph->counters - job->module.counts_start)))
        return -EBADMSG;
      bbp_flow_clip (graph);
      write_blocks (job);
      if (graph->flags & BBP_FUNCTION_ARCS)
        write_calls (job);
    }
  return 0;
}

static void
write_outside (struct job *job)
{
  for (size_t i = 0; i < job->entries.n; i++)
    if ((int64_t) job->outside[i] > 0)
      bbp_record_arc (job->out, &(struct bbp_count) { 0, job->entries.item[i].self - job->bias,
                                                      job->outside[i] });
}

/* Blocks of units that follow the historic layout. */
static void
write_historic (struct job *job)
{
  for (const struct bb *unit = __bb_head; unit; unit = unit->next)
    for (long i = 0; !BBP_IS_EXTENDED (unit) && unit->addresses && i < unit->ncounts; i++)
      if (unit->counts[i] && unit->addresses[i])
        bbp_record_blocks (
            job->out,
            &(struct bbp_count) { 0, unit->addresses[i] - job->bias, (uint64_t) unit->counts[i] },
            1);
}

size_t
bbprof_counts_memory (void)
{
  struct job job = { .out = NULL };
  bbp_memory_begin (NULL, 0);
  if (bbp_program (&job.module))
    prepare (&job);
  return bbp_memory_wanted ();
}

int
bbprof_write_counts (bbp_writer *writer, void *context, void *memory, size_t size)
{
  static struct bbp_out out;
  static struct job job;
  job = (struct job) { .out = &out, .bias = find_bias () };
  bbp_memory_begin (memory, size);
  bool program = bbp_program (&job.module);
  int error = program ? prepare (&job) : 0;
  if (error)
    return error;
  bbp_out_begin (&out, writer, context);
  bbp_record_header (&out, 0, 0);
  if (program)
    {
      read_counts (&job);
      find_entries (&job);
      error = write_functions (&job);
      write_outside (&job);
    }
  write_historic (&job);
  int unwritten = bbp_out_end (&out);
  return error ? error : unwritten;
}
