/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the counts of a killed process that may be wrong by one.

   Each thread was at some position when the process was killed, so counts derived from its
   counters may be wrong by one (positions.h).  If a function was called once more than it was
   entered, the thread was at a call of that function.  Then it is assumed to have been at the
   call executed most often, and one call less is counted.  Counts that another position would
   change are open. */
#include <stdlib.h>

#include "recover/bounds.h"
#include "recover/positions.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

/* The position that is assumed for a thread. */
struct choice {
  uint64_t rank; /* 0: no position is assumed, counts stay as derived */
  uintptr_t function;
  uint32_t node;
  uintptr_t from; /* of the arc that loses a call: run-time address; or 0 */
  bool hook;      /* a hook counted the call */
};

struct seeker {
  const struct bbp_thread *thread;
  struct facts facts;
  struct positions positions;
  struct bbp_graph graph; /* derived from the thread's counters */
  bool touched;           /* a counter of the function is not 0 */
  size_t placed;          /* interrupts that were found in functions */
  size_t possible;        /* possible positions of the thread */
  struct choice choice;
  struct bbp_counts outside;
  struct bbp_open *open;
  struct bbp_counts unmade, chosen; /* for the merge */
  bool failed;
};

static void
put (struct seeker *s, struct bbp_counts *list, uintptr_t from, uintptr_t self, uint64_t count)
{
  s->failed |= !bbp_counts_put (list, from, self, count);
}

static uintptr_t
virtual_address (uintptr_t address)
{
  const struct bbp_object *object = bbp_object_at (address);
  return object ? bbp_object_virtual (object, address) : 0;
}

/* Visits all functions that matter. */

typedef void visit_function (struct seeker *);

static bool
is_touched (const struct bbp_graph *graph, const int64_t *counters)
{
  for (size_t i = 0; i < graph->ncounters; i++)
    if (counters[i])
      return true;
  return false;
}

static void
read_function (struct seeker *s, const int64_t *counters, visit_function *visit)
{
  struct bbp_graph *graph = &s->graph;
  const struct bbp_counts *interrupts = &s->facts.interrupts;
  s->touched = is_touched (graph, counters);
  for (size_t i = 0; i < interrupts->n; i++)
    if (bbp_flow_interrupt (graph, (struct bbp_in_flight) { interrupts->item[i].self,
                                                            (int64_t) interrupts->item[i].count }))
      {
        s->touched = true;
        s->placed++;
      }
  if (!s->touched && s->facts.lacks != graph->entry
      && !bbp_counts_of (s->facts.outside, 0, graph->entry))
    return;
  if (bbp_flow_derive (graph, counters))
    visit (s);
  else
    s->failed = true;
}

static void
for_all (struct seeker *s, visit_function *visit)
{
  for (const struct bbp_copy *copy = s->thread->copies; copy && !s->failed; copy = copy->next)
    {
      const struct bbp_module *module = copy->module;
      s->failed = bbp_graph_make (&s->graph, module) != 0;
      if (s->failed)
        return;
      for (const struct bbp_map_function *f = NULL; !s->failed && (f = bbp_map_next (module, f));)
        if (bbp_graph_read (&s->graph, module, f))
          read_function (s, copy->counts + (s->graph.counters - module->counts_start), visit);
      bbp_graph_free (&s->graph);
    }
}

/* First part: reads the counters of one thread. */

static void
take_calls (struct seeker *s)
{
  const struct bbp_graph *graph = &s->graph;
  uintptr_t from, self;
  for (size_t i = 0; i < graph->ncalls; i++)
    if ((self = positions_callee (&s->facts, &graph->calls[i], &from)) != 0)
      put (s, &s->facts.called, 0, self, bbp_flow_calls (graph, &graph->calls[i]));
}

/* Adds the returns in BLOCK.  Behind each call that may return there is an edge to the outside,
   and one to the next segment. */
static void
take_returns (struct seeker *s, size_t block)
{
  const struct bbp_graph *graph = &s->graph;
  const struct bbp_graph_edge *edge = &graph->edges[graph->blocks[block].edges + 1];
  const size_t end = block + 1 < graph->nblocks ? graph->blocks[block + 1].calls : graph->ncalls;
  uintptr_t from;
  edge += (graph->blocks[block].shape & BBP_BLOCK_IN) != 0;
  for (size_t i = graph->blocks[block].calls; i < end && !(graph->calls[i].kind & BBP_CALL_FINAL);
       i++, edge += 2)
    if (graph->flags & BBP_FUNCTION_ARCS)
      put (s, &s->facts.returned, 0, positions_callee (&s->facts, &graph->calls[i], &from),
           edge[1].count);
  if (graph->blocks[block].shape & BBP_BLOCK_OUT)
    put (s, &s->facts.left, 0, graph->entry, edge->count);
}

static void
take_counts (struct seeker *s)
{
  const struct bbp_graph *graph = &s->graph;
  if (graph->flags & BBP_FUNCTION_ARCS)
    take_calls (s);
  for (size_t i = 0; i < graph->nblocks; i++)
    take_returns (s, i);
  put (s, &s->facts.entered, 0, graph->entry, bbp_flow_entries (graph));
  for (size_t i = 0; i < graph->nedges; i++)
    if ((int64_t) graph->edges[i].count < 0)
      {
        s->facts.strange |= s->facts.torn && s->facts.torn != graph->entry;
        s->facts.torn = graph->entry;
      }
}

static void
take_hooks (struct seeker *s)
{
  struct facts *f = &s->facts;
  for (const struct bbp_arc_table *table = s->thread->newest; table; table = table->older)
    for (size_t i = 0; i <= table->mask / sizeof (struct bbp_arc); i++)
      {
        const struct bbp_arc *arc = &table->slots[i];
        if (!arc->self)
          continue;
        if (arc->from == BBP_ARC_INTERRUPTED || arc->from == BBP_ARC_RESUMED)
          put (s, &f->interrupts, 0, bbp_flow_home (arc->self),
               arc->from == BBP_ARC_INTERRUPTED ? arc->count : -arc->count);
        else if (arc->from & BBP_ARC_INDIRECT)
          put (s, &f->hooks, arc->from, arc->self, arc->count);
      }
  bbp_calls_follow (&f->hooks, f->functions);
  bbp_counts_unite (&f->interrupts);
  bbp_counts_subtract (&f->interrupts, NULL);
  for (size_t i = 0; i < f->hooks.n; i++)
    put (s, &f->called, 0, f->hooks.item[i].self, f->hooks.item[i].count);
}

static void
drop_facts (struct seeker *s)
{
  struct facts *f = &s->facts;
  bbp_counts_free (&f->interrupts);
  bbp_counts_free (&f->hooks);
  bbp_counts_free (&f->called);
  bbp_counts_free (&f->entered);
  bbp_counts_free (&f->returned);
  bbp_counts_free (&f->left);
  *f = (struct facts) { .functions = f->functions, .outside = f->outside };
}

static void
take_facts (struct seeker *s)
{
  struct facts *f = &s->facts;
  drop_facts (s);
  take_hooks (s);
  for_all (s, take_counts);
  bbp_counts_unite (&f->called);
  bbp_counts_unite (&f->entered);
  bbp_counts_unite (&f->returned);
  bbp_counts_unite (&f->left);
  for (size_t i = 0; i < f->called.n; i++)
    {
      const uintptr_t self = f->called.item[i].self;
      const int64_t lack
          = (int64_t) (f->called.item[i].count - bbp_counts_of (&f->entered, 0, self));
      f->strange |= lack > 1 || (lack == 1 && f->lacks);
      f->lacks = lack == 1 ? self : f->lacks;
    }
  f->lacks = f->strange ? 0 : f->lacks;
}

static void
take_outside (struct seeker *s)
{
  const struct bbp_counts *entered = &s->facts.entered;
  for (size_t i = 0; i < entered->n; i++)
    if ((int64_t) (entered->item[i].count
                   - bbp_counts_of (&s->facts.called, 0, entered->item[i].self))
        > 0)
      {
        const uintptr_t self = entered->item[i].self;
        const bool ended = (int64_t) (bbp_counts_of (&s->facts.left, 0, self)
                                      - bbp_counts_of (&s->facts.returned, 0, self))
                           > 0;
        put (s, &s->outside, 0, self, ended ? 1 + FACTS_ENDED : 1);
      }
}

/* Second part: chooses a position. */

static void
propose (struct seeker *s, struct choice choice)
{
  if (choice.rank > s->choice.rank)
    s->choice = choice;
}

/* Visits each call of a block that may lead to the function that lacks an entry, with the hook's
   arc of that call. */
typedef void visit_hook (struct seeker *, const struct bbp_graph_call *,
                         const struct bbp_count *arc);

static void
for_all_hooks (struct seeker *s, visit_hook *visit)
{
  const struct bbp_graph *graph = &s->graph;
  for (size_t b = 0; b < graph->nblocks; b++)
    {
      const size_t end = b + 1 < graph->nblocks ? graph->blocks[b + 1].calls : graph->ncalls;
      uintptr_t start = graph->blocks[b].address;
      for (size_t i = graph->blocks[b].calls; i < end; start = graph->calls[i++].point)
        {
          const struct bbp_count *arc
              = positions_hook (&s->facts, &graph->calls[i], start, s->facts.lacks);
          if (arc && s->positions.may[graph->calls[i].segment])
            visit (s, &graph->calls[i], arc);
        }
    }
}

#define RANK_DIRECT (UINT64_C (1) << 62)
#define RANK_HOOK (UINT64_C (1) << 61)
#define RANK_ENTRY 1

static void
propose_hook (struct seeker *s, const struct bbp_graph_call *call, const struct bbp_count *arc)
{
  propose (s, (struct choice) { RANK_HOOK + arc->count, s->graph.entry, call->segment, arc->from,
                                true });
}

/* The first possible position of the thread behind the function's entry; the entry, if there is
   none. */
static uint32_t
behind_entry (const struct seeker *s)
{
  const struct positions *positions = &s->positions;
  const uint32_t entry = bbp_graph_in (0);
  for (size_t i = positions->n; i-- > 0;)
    if (positions->may[positions->order[i]] && positions->top[positions->order[i]] == entry)
      return positions->order[i];
  return entry;
}

static void
find_choice (struct seeker *s)
{
  const struct bbp_graph *graph = &s->graph;
  uintptr_t from;
  s->failed |= !positions_find (&s->positions, graph, &s->facts);
  if (s->failed)
    return;
  s->possible += s->positions.possible;
  if (graph->entry == s->facts.lacks)
    propose (s, (struct choice) { RANK_ENTRY, graph->entry, behind_entry (s), 0, false });
  for (size_t i = 0; i < graph->ncalls && (graph->flags & BBP_FUNCTION_ARCS); i++)
    if (s->positions.may[graph->calls[i].segment] && s->facts.lacks
        && positions_callee (&s->facts, &graph->calls[i], &from) == s->facts.lacks)
      propose (s, (struct choice) { RANK_DIRECT + bbp_flow_calls (graph, &graph->calls[i]),
                                    graph->entry, graph->calls[i].segment, from, false });
  for_all_hooks (s, propose_hook);
}

/* After a fork the parent's other threads keep their old position and count no more. */
static bool
may_be_gone (void)
{
  for (const struct bbp_module *module = bbp.modules; module; module = module->next)
    if (module->baseline)
      return true;
  return false;
}

static void
choose (struct seeker *s)
{
  const size_t gone = may_be_gone ();
  s->possible = gone;
  s->choice = (struct choice) { 0 };
  for_all (s, find_choice);
  if (s->possible == gone && s->facts.torn)
    {
      s->facts.strange = true;
      s->facts.lacks = 0;
      s->choice = (struct choice) { 0 };
    }
  const struct choice *c = &s->choice;
  if (c->rank && c->hook)
    put (s, &s->unmade, virtual_address (c->from), virtual_address (s->facts.lacks), 1);
  else if (c->rank)
    put (s, &s->chosen, c->function, c->node, 1);
}

/* Last part: marks the counts that another position of the thread would change. */

/* Does the path from the chosen position use EDGE? */
static bool
is_on_way (const struct seeker *s, uint32_t edge)
{
  const struct choice *c = &s->choice;
  const struct bbp_graph *graph = &s->graph;
  if (!c->rank || c->function != graph->entry)
    return false;
  for (uint32_t node = c->node; node != BBP_OUTSIDE && s->positions.up[node] < graph->nedges;)
    {
      const struct bbp_graph_edge *up = &graph->edges[s->positions.up[node]];
      if (s->positions.up[node] == edge)
        return true;
      node = up->from == node ? up->to : up->from;
    }
  return false;
}

/* Marks EDGE if the possible positions give it different counts: in list FEWER, or for more
   counts in the list before that. */
static void
mark (struct seeker *s, uint32_t edge, int fewer, uintptr_t from, uintptr_t self)
{
  const uint32_t node = positions_hanging (&s->positions, &s->graph, edge);
  const bool chosen = is_on_way (s, edge), high = s->graph.edges[edge].from == node;
  if (node == BBP_OUTSIDE)
    return;
  const size_t possible = s->positions.within[node];
  if (chosen ? possible < s->possible : possible > 0)
    put (s, &s->open->list[high == chosen ? fewer - 1 : fewer], from, self, 1);
}

/* Executions of a block are those of the edge into its first segment. */
static void
mark_block (struct seeker *s, size_t number)
{
  const struct bbp_graph_block *block = &s->graph.blocks[number];
  const bool empty = number + 1 < s->graph.nblocks && block[1].address == block->address;
  const uintptr_t address = virtual_address (block->address);
  if (!empty)
    mark (s, block->edges, BBX_OPEN_FEWER, address, address);
}

static void
mark_edges (struct seeker *s, size_t number)
{
  const struct bbp_graph *graph = &s->graph;
  const uintptr_t here = virtual_address (graph->blocks[number].address);
  for (uint32_t i = graph->blocks[number].edges; i < bbp_graph_edges_end (graph, number); i++)
    {
      const struct bbp_graph_edge *edge = &graph->edges[i];
      if (edge->from == BBP_OUTSIDE)
        mark (s, i, BBX_OPEN_EDGES_FEWER, 0, here);
      else if (edge->to == BBP_OUTSIDE)
        mark (s, i, BBX_OPEN_EDGES_FEWER, here, 0);
      else if (bbp_graph_is_in (graph, edge->to))
        mark (s, i, BBX_OPEN_EDGES_FEWER, here,
              virtual_address (graph->blocks[bbp_graph_block_of (edge->to)].address));
    }
}

/* POSSIBLE: number of possible positions before this call. */
static void
mark_arc (struct seeker *s, uintptr_t from, uintptr_t self, size_t possible, bool chosen)
{
  if (chosen ? possible < s->possible : possible > 0)
    put (s, &s->open->list[chosen ? BBX_OPEN_MORE : BBX_OPEN_FEWER], virtual_address (from),
         virtual_address (self), 1);
}

static bool
is_chosen (const struct seeker *s, uint32_t node, bool hook)
{
  const struct choice *c = &s->choice;
  return c->rank && c->function == s->graph.entry && c->node == node && c->hook == hook && c->from;
}

static void
mark_hook (struct seeker *s, const struct bbp_graph_call *call, const struct bbp_count *arc)
{
  mark_arc (s, arc->from, arc->self, 1, is_chosen (s, call->segment, true));
}

/* A function with more entries than calls by known callers was called from outside. */
static void
mark_outside (struct seeker *s, uintptr_t self, size_t possible)
{
  if (possible > 0 && !s->facts.lacks)
    put (s, &s->open->list[BBX_OPEN_MORE], 0, virtual_address (self), 1);
}

static void
mark_function (struct seeker *s)
{
  const struct bbp_graph *graph = &s->graph;
  uintptr_t from, self;
  s->failed |= !positions_find (&s->positions, graph, &s->facts);
  for (size_t i = 0; i < graph->nblocks && !s->failed; i++)
    {
      mark_block (s, i);
      mark_edges (s, i);
    }
  for_all_hooks (s, mark_hook);
  if (!(graph->flags & BBP_FUNCTION_ARCS))
    return;
  mark_outside (s, graph->entry, s->positions.within[bbp_graph_in (0)]);
  for (size_t i = 0; i < graph->ncalls && !s->failed; i++)
    if ((self = positions_callee (&s->facts, &graph->calls[i], &from)) != 0)
      {
        const uint32_t segment = graph->calls[i].segment;
        mark_arc (s, from, self, s->positions.into[segment], is_chosen (s, segment, false));
        mark_outside (s, self, s->positions.into[segment]);
      }
}

/* Each count is wrong by one at most, for however many reasons. */
static void
tidy (struct bbp_counts *list)
{
  bbp_counts_unite (list);
  for (size_t i = 0; i < list->n; i++)
    list->item[i].count = 1;
}

/* Did a handler interrupt code that may be a function's last block?  The end of that block is not
   known here (in_flight.c). */
static bool
was_lost (const struct seeker *s)
{
  size_t n = 0;
  for (size_t i = 0; i < s->facts.interrupts.n; i++)
    {
      const struct bbp_object *object = bbp_object_at (s->facts.interrupts.item[i].self);
      n += object && bbp_module_in (object);
    }
  return s->placed < n;
}

static void
find_of_thread (struct seeker *s)
{
  s->placed = 0;
  take_facts (s);
  const bool lost = was_lost (s);
  choose (s);
  if (lost)
    {
      s->facts.strange = true;
      s->possible = SIZE_MAX;
    }
  for_all (s, mark_function);
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    tidy (&s->open->list[i]);
}

/* Visits all threads. */

static void
for_all_threads (struct seeker *s, void (*look) (struct seeker *), const struct bbp_open **open)
{
  for (const struct bbp_thread *thread = bbp.threads; thread && !s->failed; thread = thread->next)
    {
      s->thread = thread;
      if (open)
        {
          s->open = calloc (1, sizeof *s->open);
          if (!s->open)
            {
              s->failed = true;
              return;
            }
          *s->open = (struct bbp_open) { .next = *open, .thread = thread->number };
          *open = s->open;
        }
      look (s);
    }
}

static void
find_outside (struct seeker *s)
{
  take_facts (s);
  take_outside (s);
}

/* While counting is stopped, counts are those of the stop, when the positions of threads were
   known. */
bool
bounds_find (const struct bbp_open **open)
{
  struct bbp_counts functions = { 0 }, before = { 0 };
  struct seeker s = { .facts = { .functions = &functions, .outside = &before } };
  if (bbp.stopped)
    return true;
  s.failed = bbp_calls_entries (&functions) != 0;
  for_all_threads (&s, find_outside, NULL);
  bbp_counts_unite (&s.outside);
  s.facts.outside = &s.outside;
  for_all_threads (&s, find_of_thread, open);
  bbp_counts_unite (&s.unmade);
  bbp_counts_unite (&s.chosen);
  s.failed |= bbp_counts_keep (&bbp.calls_not_made, &s.unmade)
              || bbp_counts_keep (&bbp.killed_positions, &s.chosen);
  drop_facts (&s);
  positions_free (&s.positions);
  bbp_counts_free (&functions);
  bbp_counts_free (&s.outside);
  bbp_counts_free (&s.unmade);
  bbp_counts_free (&s.chosen);
  return !s.failed;
}
