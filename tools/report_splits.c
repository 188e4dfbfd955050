/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the traces beside the profiles measured, in terms of the page's functions. */
#include "config.h"

#include "report_splits.h"
#include "runtime/bbprof-abi.h"
#include "splits_trace.h"
#include "trace_beside.h"

struct places {
  const struct report_table *table;
  struct trace_match match;
};

static const struct block *
find_block (struct places *p, const struct trace_function *f, unsigned index)
{
  uint64_t address = trace_match_address (&p->match, f, index);
  return address ? blocks_at (&p->table->blocks, address) : NULL;
}

static uint32_t
find_node (void *context, const struct trace_function *f)
{
  const struct block *b = find_block (context, f, 0);
  const struct places *p = context;
  return b && b->symbol ? (uint32_t) (b->symbol - p->table->model->symtab.symbols) : SPLIT_OUTSIDE;
}

static double
find_samples (void *context, const struct trace_block *block)
{
  const struct block *b = find_block (context, block->function, block->index);
  return b && b->count > 0 ? b->samples / (double) b->count : 0;
}

static bool
has_arc (const struct callgraph *g, uint32_t parent, uint32_t child)
{
  for (uint32_t i = g->first_child[parent]; i < g->first_child[parent + 1]; i++)
    if (g->arcs[g->children[i]].child == child)
      return true;
  return false;
}

/* The counters know whom a tail call has led to. */
static bool
is_tail_call (void *context, const struct trace_block *from, const struct trace_function *to)
{
  const struct places *p = context;
  const struct block *b = find_block (context, from->function, from->index);
  const struct map_block *m = b ? b->map : NULL;
  bool tail = false;
  for (size_t i = 0; m && i < m->ncalls; i++)
    tail |= (p->table->blocks.map.calls[m->first_call + i].kind & BBP_CALL_TAIL) != 0;
  uint32_t parent = tail ? find_node (context, from->function) : SPLIT_OUTSIDE, child = find_node (context, to);
  return parent != SPLIT_OUTSIDE && child != SPLIT_OUTSIDE && has_arc (&p->table->graph, parent, child);
}

bool
report_measure (struct report_table *t, const char *command)
{
  struct places places = { .table = t, .match = { .model = t->model } };
  const struct split_places asked = { find_node, find_samples, is_tail_call, &places };
  bool ok = true;
  for (size_t i = 0; ok && i < t->model->nruns; i++)
    {
      struct trace_beside beside;
      ok = trace_beside_open (&beside, &t->model->runs[i], command)
           && (!beside.trace || splits_add_trace (&t->splits, beside.trace, &asked));
      places.match.path = NULL;
      trace_beside_close (&beside);
    }
  return ok;
}
