/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connects the traces beside the profiles with the functions of the report. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "tools/decode/profile_trace.h"
#include "tools/report/report_caller_shares.h"
#include "tools/report/caller_shares_trace.h"

struct lookup {
  const struct report_table *table;
  struct trace_match match;
};

static const struct block *
find_block (struct lookup *p, const struct trace_function *f, unsigned index)
{
  uint64_t address = trace_match_address (&p->match, f, index);
  return address ? blocks_at (&p->table->blocks, address) : NULL;
}

static uint32_t
find_node (void *context, const struct trace_function *f)
{
  const struct block *b = find_block (context, f, 0);
  const struct lookup *p = context;
  return b && b->symbol ? (uint32_t) (b->symbol - p->table->model->symtab.symbols) : CALLER_UNKNOWN;
}

/* The mean over the function's blocks.  Single blocks cannot be told apart: while a trace is
   recorded, some blocks run as copies, and their samples are there. */
static double
find_samples (void *context, const struct trace_block *block)
{
  const struct lookup *p = context;
  const struct block *b = find_block (context, block->function, block->index);
  size_t node = b && b->symbol ? (size_t) (b->symbol - p->table->model->symtab.symbols) : 0;
  return b && b->symbol && b->count > 0
             ? p->table->graph.nodes[node].time / (double) p->table->executed[node]
             : 0;
}

static bool
has_arc (const struct callgraph *g, uint32_t parent, uint32_t child)
{
  for (uint32_t i = g->first_child[parent]; i < g->first_child[parent + 1]; i++)
    if (g->arcs[i].child == child)
      return true;
  return false;
}

/* The counted arcs show where a tail call leads. */
static bool
is_tail_call (void *context, const struct trace_block *from, const struct trace_function *to)
{
  const struct lookup *p = context;
  const struct block *b = find_block (context, from->function, from->index);
  const struct map_block *m = b ? b->map : NULL;
  bool tail = false;
  for (size_t i = 0; m && i < m->ncalls; i++)
    tail |= (p->table->blocks.map.calls[m->first_call + i].kind & BBP_CALL_TAIL) != 0;
  uint32_t parent = tail ? find_node (context, from->function) : CALLER_UNKNOWN,
           child = find_node (context, to);
  return parent != CALLER_UNKNOWN && child != CALLER_UNKNOWN
         && has_arc (&p->table->graph, parent, child);
}

static bool
add_thread (struct report_table *t, const struct trace_thread *thread, uint64_t executed)
{
  if (!array_grow (&t->threads, t->nthreads, &t->room_threads, sizeof *t->threads))
    return false;
  char *name = strdup (thread->name);
  t->recorded += executed;
  t->threads[t->nthreads++] = (struct report_thread) { .name = name,
                                                       .tid = thread->tid,
                                                       .start = (double) thread->start / 1e9,
                                                       .end = (double) thread->end / 1e9,
                                                       .executions = executed };
  return name != NULL;
}

static bool
add_trace (struct report_table *t, struct trace *trace)
{
  struct lookup lookup = { .table = t, .match = { .model = t->model } };
  const struct caller_share_lookup asked = { find_node, find_samples, is_tail_call, &lookup };
  const struct trace_thread *threads;
  size_t n = trace_threads (trace, &threads);
  uint64_t *executed = calloc (n + 1, sizeof *executed);
  bool ok = executed && caller_shares_add_trace (&t->caller_shares, trace, &asked, executed);
  for (size_t i = 0; ok && i < n; i++)
    ok = add_thread (t, &threads[i], executed[i]);
  free (executed);
  return ok;
}

bool
report_measure (struct report_table *t, const char *command)
{
  bool ok = true;
  for (size_t i = 0; ok && i < t->model->nruns; i++)
    {
      struct profile_trace beside;
      ok = profile_trace_open (&beside, &t->model->runs[i], command)
           && (!beside.trace || add_trace (t, beside.trace));
      profile_trace_close (&beside);
    }
  return ok;
}
