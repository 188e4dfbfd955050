/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of deriving counts.  The test makes up block maps byte by byte, as bbprof-abi.h
   describes them; a random walk through their graphs notes what it passes.  From the counters
   alone the library has to find the same counts.  A damaged map must not cause a wrong access. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "runtime/dump/dump.h"
#include "runtime/dump/flow.h"
#include "testsuite/unit/unit.h"

enum {
  MOST_BLOCKS = 200100,
  MOST_EDGES = 900000,
  MOST_NODES = 600000,
  MOST_BYTES = 4000000,
  MOST_SUCCESSORS = 3
};

static unsigned long seed = 1;

static unsigned
below (unsigned n)
{
  seed = seed * 6364136223846793005 + 1442695040888963407;
  return (unsigned) ((seed >> 33) % n);
}

/* A graph as the words describe it. */
struct edge {
  int from, to; /* nodes; 0: outside */
  bool candidate, counted;
  uint64_t passed;
};
struct block {
  uintptr_t address;
  int in, first, last; /* nodes */
  bool enters, leaves, out;
  int executions; /* edge */
  int ncalls, nsuccessors, calls, successors;
};
struct call {
  uintptr_t point;
  unsigned kind;
  int node;    /* of the segment that it ends, or is in */
  int returns; /* edge; -1: none */
};
static struct edge edges[MOST_EDGES];
static struct block blocks[MOST_BLOCKS];
static struct call calls[MOST_BLOCKS];
static int successors[MOST_EDGES], targets[MOST_EDGES]; /* edges, blocks */
static int nedges, nblocks, ncalls, nnodes, nsuccessors, ncold;

static int
add_edge (int from, int to, bool candidate)
{
  edges[nedges] = (struct edge) { from, to, candidate, false, 0 };
  return nedges++;
}

static void
add_successor (struct block *block, int target)
{
  block->nsuccessors++;
  targets[nsuccessors] = target;
  successors[nsuccessors++] = add_edge (block->last, blocks[target].in, true);
}

/* Code at made-up addresses. */
#define ENTRY 0x100000UL
#define COLD 0x500000UL

/* A function of N blocks, each with a few successors; from everywhere there is a way out. */
static void
make_graph (int n)
{
  nedges = ncalls = nsuccessors = 0;
  nblocks = n;
  memset (blocks, 0, (size_t) n * sizeof *blocks);
  ncold = (int) below (3) ? 0 : (int) below ((unsigned) n);
  uintptr_t address = ENTRY + below (20);
  for (int b = 0; b < n; b++)
    blocks[b].in = b + 1;
  nnodes = n + 1;
  for (int b = 0; b < n; b++)
    {
      struct block *block = &blocks[b];
      if (ncold && b == n - ncold)
        address = COLD + below (20);
      block->address = address;
      block->first = block->last = nnodes++;
      block->enters = b == 0 || below (10) == 0;
      block->executions = add_edge (block->in, block->first, true);
      if (block->enters)
        add_edge (0, block->in, false);
      block->calls = ncalls;
      block->ncalls = (int) below (3) ? 0 : (int) below (4);
      bool final = false;
      for (int i = 0; i < block->ncalls; i++)
        {
          address += 5 + below (300);
          struct call *call = &calls[ncalls++];
          *call = (struct call) { address, below (2) ? BBP_CALL_DIRECT : 0, block->last, -1 };
          final = i + 1 == block->ncalls && below (3) == 0;
          if (final)
            call->kind |= BBP_CALL_FINAL;
          else
            {
              add_edge (block->last, 0, false);
              call->returns = add_edge (block->last, nnodes, true);
              block->last = nnodes++;
            }
        }
      int chosen[MOST_SUCCESSORS], width = (int) below (MOST_SUCCESSORS + 1);
      bool exits = false;
      for (int i = 0; i < width; i++)
        exits |= (chosen[i] = (int) below ((unsigned) n)) > b;
      block->out = !exits || below (8) == 0;
      block->leaves = below (8) == 0;
      if (block->out || (block->leaves && block->first == block->last))
        add_edge (block->last, 0, false);
      block->successors = nsuccessors;
      for (int i = 0; i < width; i++)
        add_successor (block, chosen[i]);
      address += 1 + below (400);
    }
}

static int parent[MOST_NODES];

static int
root (int node)
{
  while (parent[node] != node)
    node = parent[node] = parent[parent[node]];
  return node;
}

/* Edges of a tree need no counter, and others must be such that can have one. */
static void
choose (struct edge *edge)
{
  int a = root (edge->from), b = root (edge->to);
  ck_assert (a != b || edge->candidate);
  edge->counted = a == b;
  parent[a] = b;
}

/* A spanning tree of which all edges are that cannot be counted, and of the others some.  One
   counter more does no harm. */
static void
choose_counters (void)
{
  for (int node = 0; node < nnodes; node++)
    parent[node] = node;
  for (int i = 0; i < nedges; i++)
    if (!edges[i].candidate)
      choose (&edges[i]);
  for (int i = 0, first = (int) below ((unsigned) nedges); i < nedges; i++)
    if (edges[(first + i) % nedges].candidate)
      choose (&edges[(first + i) % nedges]);
  int more = (int) below ((unsigned) nedges);
  edges[more].counted |= edges[more].candidate;
}

static int first_edge[MOST_NODES], next_edge[MOST_EDGES];

static void
link_edges (void)
{
  memset (first_edge, -1, sizeof *first_edge * (size_t) nnodes);
  for (int i = 0; i < nedges; i++)
    {
      next_edge[i] = first_edge[edges[i].from];
      first_edge[edges[i].from] = i;
    }
}

static int
any_edge_from (int node)
{
  int n = 0, chosen = -1;
  for (int i = first_edge[node]; i >= 0; i = next_edge[i])
    if (below ((unsigned) ++n) == 0)
      chosen = i;
  return chosen;
}

/* Go from outside until outside, or so many STEPS; the node where it ends. */
static int
walk (int steps)
{
  int node = 0;
  do
    {
      int edge = any_edge_from (node);
      edges[edge].passed++;
      node = edges[edge].to;
  } while (node && --steps);
  return node;
}

/* The module, put together in one mapping: counters, map, and behind that a page that nobody can
   read. */
static struct bbp_module module;
static unsigned char *next;

static void
put_number (uint64_t value)
{
  do
    {
      *next++ = (unsigned char) ((value & 127) | (value > 127 ? 128 : 0));
      value >>= 7;
  } while (value);
}

static void
put_function (unsigned flags)
{
  put_number ((uint64_t) nblocks);
  put_number ((uint64_t) ncold);
  put_number (flags);
  for (int b = 0; b < nblocks; b++)
    {
      const struct block *block = &blocks[b];
      uintptr_t before = b == 0                          ? ENTRY
                         : ncold && b == nblocks - ncold ? COLD
                                                         : blocks[b - 1].address;
      put_number (block->address - before);
      put_number ((edges[block->executions].counted ? BBP_BLOCK_COUNTED : 0)
                  | (block->enters ? BBP_BLOCK_IN : 0) | (block->out ? BBP_BLOCK_OUT : 0)
                  | (block->leaves ? BBP_BLOCK_LEAVES : 0)
                  | (unsigned) block->ncalls * BBP_BLOCK_CALLS);
      uintptr_t point = block->address;
      for (int i = block->calls; i < block->calls + block->ncalls; i++)
        {
          put_number (calls[i].point - point);
          put_number (
              calls[i].kind
              | (calls[i].returns >= 0 && edges[calls[i].returns].counted ? BBP_CALL_COUNTED : 0));
          point = calls[i].point;
        }
      put_number ((uint64_t) block->nsuccessors);
      for (int i = block->successors; i < block->successors + block->nsuccessors; i++)
        put_number ((uint64_t) targets[i] * 2 + edges[successors[i]].counted);
    }
}

/* Zones of code for recording threads: at ZONE, and in the cold part behind COLD. */
enum {
  ZONE = 0x2000,
  ZONE_BYTES = 11,
  ZONE_PLACE = 3,
  JUMP = 5,
  RECORDED = JUMP + 2,
  FULL = ZONE + 0x100
};

static void
put_zones (void)
{
  const unsigned char *start = next;
  const uint64_t zones[][4] = {
    { ZONE, ZONE_BYTES, ZONE_PLACE, 0 },
    { ZONE, 0, ZONE_PLACE + 1, BBP_ZONE_COLD },
    { ZONE + 1, JUMP, ZONE_PLACE + 2, BBP_ZONE_COLD | BBP_ZONE_COLD_PLACE },
    { ZONE + 1 + JUMP, RECORDED, ZONE_PLACE, BBP_ZONE_COLD | BBP_ZONE_RECORDED | BBP_ZONE_JUMPS },
    { FULL, 1, ZONE_PLACE, BBP_ZONE_RECORDED | BBP_ZONE_FULL }
  };
  for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
    for (int field = 0; field < 4; field++)
      put_number (zones[i][field]);
  while ((next - start) % 4)
    *next++ = 0;
  uint32_t bytes = (uint32_t) (next - start);
  memcpy (next, &bytes, sizeof bytes);
  next += sizeof bytes;
}

static void
make_module (void)
{
  static unsigned char record[MOST_BYTES];
  size_t ncounters = 0;
  next = record;
  put_function (BBP_FUNCTION_ARCS | BBP_FUNCTION_ZONES);
  while ((next - record) % 4)
    *next++ = 0;
  put_zones ();
  for (int i = 0; i < nedges; i++)
    ncounters += edges[i].counted;
  size_t n = (size_t) (next - record), counts = (ncounters + 1) * sizeof (long);
  size_t bytes = (counts + sizeof (struct bbp_map_function) + n + 4095) & -(size_t) 4096;
  char *memory
      = mmap (NULL, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect (memory + bytes, 4096, PROT_NONE);
  struct bbp_map_function *function = (struct bbp_map_function *) (memory + bytes - n) - 1;
  module.counts_start = (long *) memory;
  module.counts_stop = module.counts_start + ncounters;
  module.map_start = (const char *) function;
  module.map_stop = memory + bytes;
  /* Recovery's way: the code is where these addresses would be if the map had not moved. */
  module.moved = (uintptr_t) function - ENTRY;
  *function
      = (struct bbp_map_function) { 0, (int32_t) (memory - (char *) &function->counts),
                                    (int32_t) (COLD + module.moved - (uintptr_t) &function->cold),
                                    (uint32_t) n };
  memcpy (function + 1, record, n);
}

static void
unmake_module (void)
{
  munmap (module.counts_start, (size_t) (module.map_stop - (char *) module.counts_start) + 4096);
}

/* As the record has them. */
static void
fill_counters (void)
{
  long *counter = module.counts_start;
  for (int b = 0; b < nblocks; b++)
    {
      const struct block *block = &blocks[b];
      if (edges[block->executions].counted)
        *counter++ = (long) edges[block->executions].passed;
      for (int i = block->calls; i < block->calls + block->ncalls; i++)
        if (calls[i].returns >= 0 && edges[calls[i].returns].counted)
          *counter++ = (long) edges[calls[i].returns].passed;
      for (int i = block->successors; i < block->successors + block->nsuccessors; i++)
        if (edges[successors[i]].counted)
          *counter++ = (long) edges[successors[i]].passed;
    }
  ck_assert_ptr_eq (counter, module.counts_stop);
}

static const struct bbp_map_function *
only_function (void)
{
  return bbp_map_next (&module, NULL);
}

/* The library numbers nodes as it likes, but blocks, calls and edges come in the order of the
   record. */
static void
compare (const struct bbp_graph *graph)
{
  ck_assert_uint_eq (graph->nblocks, (size_t) nblocks);
  ck_assert_uint_eq (graph->ncalls, (size_t) ncalls);
  ck_assert_uint_eq (graph->nedges, (size_t) nedges);
  for (int i = 0; i < nedges; i++)
    ck_assert_uint_eq (graph->edges[i].count, edges[i].passed);
  for (int b = 0; b < nblocks; b++)
    {
      ck_assert_uint_eq (graph->blocks[b].address, blocks[b].address);
      ck_assert_uint_eq (graph->nodes[bbp_graph_in ((size_t) b)].passed,
                         edges[blocks[b].executions].passed);
    }
  for (int i = 0; i < ncalls; i++)
    {
      uint64_t made = 0;
      for (int e = first_edge[calls[i].node]; e >= 0; e = next_edge[e])
        made += edges[e].passed;
      ck_assert_uint_eq (graph->calls[i].point, calls[i].point);
      ck_assert_uint_eq (bbp_flow_calls (graph, &graph->calls[i]), made);
    }
}

/* The function's entries as a sum of its counters, of a graph that was just read. */
static uint64_t
entries_by_signs (struct bbp_graph *graph)
{
  static signed char signs[MOST_EDGES];
  long in_flight;
  ck_assert (bbp_flow_entry_signs (graph, signs, &in_flight));
  uint64_t entries = (uint64_t) in_flight;
  for (size_t i = 0; i < graph->ncounters; i++)
    entries += (uint64_t) (signs[i] * module.counts_start[i]);
  return entries;
}

START_TEST (all_counts_follow)
{
  for (int round = 0; round < 3000; round++)
    {
      struct bbp_graph graph;
      make_graph (1 + (int) below (round % 10 ? 12 : 300));
      choose_counters ();
      link_edges ();
      make_module ();
      for (int i = 0; i < 50; i++)
        while (walk (-1))
          ;
      fill_counters ();
      ck_assert_int_eq (bbp_graph_make (&graph, &module), 0);
      ck_assert (bbp_graph_read (&graph, &module, only_function ()));
      ck_assert (bbp_flow_derive (&graph, module.counts_start));
      ck_assert_uint_eq (bbp_flow_clip (&graph), 0);
      compare (&graph);
      uint64_t entries = bbp_flow_entries (&graph);
      ck_assert (bbp_graph_read (&graph, &module, only_function ()));
      ck_assert_uint_eq (entries_by_signs (&graph), entries);
      ck_assert_ptr_null (bbp_map_next (&module, only_function ()));
      bbp_graph_free (&graph);
      unmake_module ();
    }
}
END_TEST

/* An address in the middle of the segment that NODE is; 0: there is none. */
static uintptr_t
middle_of (int node)
{
  for (int b = 0; b < nblocks; b++)
    if (blocks[b].first <= node && node <= blocks[b].last)
      {
        uintptr_t pc = blocks[b].address;
        for (int i = blocks[b].calls; i < blocks[b].calls + blocks[b].ncalls; i++)
          if (calls[i].returns >= 0 && calls[i].node < node)
            pc = calls[i].point;
        bool last = b + 1 == nblocks || b + 1 == nblocks - ncold;
        return last ? 0 : pc;
      }
  return 0;
}

/* Control that was interrupted in a segment is there, and nowhere else; what was known of it
   before is taken back.  Nobody can read code at these addresses, so none is at a counter. */
START_TEST (control_stays_where_it_was)
{
  int tried = 0;
  for (int round = 0; round < 3000; round++)
    {
      struct bbp_graph graph;
      uintptr_t pc = 0;
      make_graph (2 + (int) below (12));
      choose_counters ();
      link_edges ();
      make_module ();
      for (int i = 0; i < 20; i++)
        while (walk (-1))
          ;
      int node = walk (1 + (int) below (9));
      if (node > nblocks)
        pc = middle_of (node);
      if (pc)
        {
          tried++;
          fill_counters ();
          ck_assert_int_eq (bbp_graph_make (&graph, &module), 0);
          ck_assert (bbp_graph_read (&graph, &module, only_function ()));
          ck_assert (!bbp_flow_interrupt (&graph, (struct bbp_in_flight) { ENTRY - 1, 1 }));
          ck_assert (bbp_flow_interrupt (&graph, (struct bbp_in_flight) { pc, 3 }));
          ck_assert (bbp_flow_interrupt (&graph, (struct bbp_in_flight) { pc, -2 }));
          ck_assert (bbp_flow_derive (&graph, module.counts_start));
          compare (&graph);
          uint64_t entries = bbp_flow_entries (&graph);
          ck_assert (bbp_graph_read (&graph, &module, only_function ()));
          ck_assert (bbp_flow_interrupt (&graph, (struct bbp_in_flight) { pc, 1 }));
          ck_assert_uint_eq (entries_by_signs (&graph), entries);
          bbp_graph_free (&graph);
        }
      unmake_module ();
    }
  ck_assert_int_gt (tried, 500);
}
END_TEST

/* A call that a reset forgot returns: its count has no source, which is no loss. */
START_TEST (calls_from_before_a_reset_return)
{
  static long counters[2] = { 0, 1 }; /* the call has returned; the block was entered before */
  struct bbp_graph graph;
  nedges = 0;
  nblocks = 1, ncalls = 1, nsuccessors = 0, ncold = 0, nnodes = 4;
  blocks[0] = (struct block) {
    .address = ENTRY, .in = 1, .first = 2, .last = 3, .enters = true, .out = true, .ncalls = 1
  };
  blocks[0].executions = add_edge (1, 2, true);
  add_edge (0, 1, false), add_edge (2, 0, false);
  calls[0] = (struct call) { ENTRY + 5, BBP_CALL_DIRECT, 2, add_edge (2, 3, true) };
  add_edge (3, 0, false);
  edges[0].counted = edges[3].counted = true;
  make_module ();
  ck_assert_int_eq (bbp_graph_make (&graph, &module), 0);
  ck_assert (bbp_graph_read (&graph, &module, only_function ()));
  ck_assert (bbp_flow_derive (&graph, counters));
  ck_assert_uint_eq (bbp_flow_clip (&graph), 0);
  ck_assert_uint_eq (graph.nodes[bbp_graph_in (0)].passed, 0);
  ck_assert_uint_eq (bbp_flow_calls (&graph, graph.calls), 0);
  ck_assert_uint_eq (bbp_flow_entries (&graph), 0);
  ck_assert_uint_eq (graph.edges[4].count, 1);
  /* Counters that contradict each other, as of a thread that ran on between: 0, and it is said
     by how much. */
  nedges = 0;
  static long torn[2] = { 0, -5 };
  ck_assert (bbp_graph_read (&graph, &module, only_function ()));
  ck_assert (bbp_flow_derive (&graph, torn));
  ck_assert_uint_eq (bbp_flow_clip (&graph), 5);
  ck_assert_uint_eq (graph.edges[4].count, 0);
  bbp_graph_free (&graph);
  unmake_module ();
}
END_TEST

static double
seconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* An interpreter: one block with a way to each of very many, and back.  In time that is
   proportional: not in seconds. */
START_TEST (large_functions_take_no_time)
{
  enum { WAYS = 100000 };
  struct bbp_graph graph;
  nedges = ncalls = nsuccessors = ncold = 0;
  nblocks = WAYS + 1, nnodes = 2 * nblocks + 1;
  for (int b = 0; b < nblocks; b++)
    blocks[b] = (struct block) { .address = ENTRY + 16UL * (unsigned) b,
                                 .in = 1 + b,
                                 .first = 1 + nblocks + b,
                                 .last = 1 + nblocks + b };
  for (int b = 0; b < nblocks; b++)
    {
      struct block *block = &blocks[b];
      block->enters = block->out = b == 0;
      block->executions = add_edge (block->in, block->first, true);
      if (b == 0)
        add_edge (0, block->in, false), add_edge (block->first, 0, false);
      block->successors = nsuccessors;
      for (int i = 0; i < (b == 0 ? WAYS : 1); i++)
        add_successor (block, b == 0 ? i + 1 : 0);
    }
  choose_counters ();
  link_edges ();
  make_module ();
  for (int b = 1; b < nblocks; b++)
    edges[blocks[b].executions].passed = edges[successors[blocks[b].successors]].passed
        = edges[successors[b - 1]].passed = (uint64_t) b;
  edges[blocks[0].executions].passed = 3 + (uint64_t) WAYS * (WAYS + 1) / 2;
  edges[1].passed = edges[2].passed = 3;
  fill_counters ();
  double start = seconds ();
  ck_assert_int_eq (bbp_graph_make (&graph, &module), 0);
  ck_assert (bbp_graph_read (&graph, &module, only_function ()));
  ck_assert (bbp_flow_derive (&graph, module.counts_start));
  ck_assert (seconds () - start < 1);
  compare (&graph);
  bbp_graph_free (&graph);
  unmake_module ();
}
END_TEST

/* Whatever a record says: it is understood or refused, and nothing is read beyond it. */
START_TEST (damage_is_refused)
{
  int refused = 0;
  for (int round = 0; round < 20000; round++)
    {
      struct bbp_graph graph;
      make_graph (1 + (int) below (8));
      choose_counters ();
      make_module ();
      unsigned char *record = (unsigned char *) module.map_start;
      size_t bytes = (size_t) (module.map_stop - module.map_start);
      for (unsigned i = 1 + below (3); i; i--)
        record[below (4) ? sizeof (struct bbp_map_function)
                               + below ((unsigned) (bytes - sizeof (struct bbp_map_function)))
                         : below ((unsigned) bytes)]
            ^= (unsigned char) (1 + below (255));
      bool good = bbp_graph_make (&graph, &module) == 0;
      for (const struct bbp_map_function *function = NULL;
           good && (function = bbp_map_next (&module, function));)
        good = bbp_graph_read (&graph, &module, function)
               && bbp_flow_derive (&graph,
                                   module.counts_start + (graph.counters - module.counts_start));
      struct bbp_zone zone;
      for (const struct bbp_map_function *function = NULL;
           good && (function = bbp_map_next (&module, function));)
        bbp_map_zone (&module, function, ENTRY - 1, &zone);
      refused += !good;
      bbp_graph_free (&graph);
      unmake_module ();
    }
  ck_assert_int_gt (refused, 10000);
  ck_assert_int_lt (refused, 20000);
}
END_TEST

/* Which piece of code belongs to which place; a bit counts as recorded behind the call that pushes
   it, and up to the jump. */
START_TEST (zones_are_found)
{
  make_graph (8);
  ncold = 4;
  choose_counters ();
  make_module ();
  struct bbp_module *before = bbp.modules;
  bbp.modules = &module;
  for (uintptr_t pc = ENTRY + ZONE - 5; pc < ENTRY + ZONE + ZONE_BYTES + 5; pc++)
    {
      enum bbp_word word;
      bool inside = pc - (ENTRY + ZONE) < ZONE_BYTES;
      ck_assert_uint_eq (bbp_flow_home (pc), inside ? ENTRY + ZONE_PLACE : pc);
      ck_assert (!bbp_flow_is_ahead (pc, &word) && word == BBP_WORD_FILLS);
    }
  for (uintptr_t pc = COLD + ZONE; pc < COLD + ZONE + 1 + JUMP + RECORDED + 5; pc++)
    {
      enum bbp_word word;
      size_t at = pc - (COLD + ZONE + 1);
      ck_assert_uint_eq (bbp_flow_home (pc), at < JUMP               ? COLD + ZONE_PLACE + 2
                                             : at <= JUMP + RECORDED ? ENTRY + ZONE_PLACE
                                                                     : pc);
      ck_assert_int_eq (bbp_flow_is_ahead (pc, &word),
                        at == JUMP - 2 || (at >= JUMP && at <= JUMP + RECORDED));
      ck_assert_int_eq (word, at == JUMP - 2 ? BBP_WORD_FULL_OR_PUT : BBP_WORD_FILLS);
    }
  enum bbp_word word;
  ck_assert (bbp_flow_is_ahead (ENTRY + FULL, &word) && word == BBP_WORD_FULL);
  bbp.modules = before;
  unmake_module ();
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { all_counts_follow },
                                     { control_stays_where_it_was },
                                     { calls_from_before_a_reset_return },
                                     { large_functions_take_no_time },
                                     { damage_is_refused },
                                     { zones_are_found } };
  return unit_run (UNIT_SUITE ("flow", UNIT_CASE (tests)));
}
