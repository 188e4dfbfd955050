/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the reliability of callers' shares, on a hand-written program. */
#include <stdlib.h>

#include "testsuite/unit/unit.h"
#include "tools/report/share_reliability.h"

enum {
  MAIN,
  OTHER,
  STRAIGHT,
  CALLS_STRAIGHT,
  BRANCHES,
  CALLS_BRANCHES,
  CHOOSES,
  ONE,
  TWO,
  PING,
  PONG,
  LANDS,
  PARTLY,
  UNKNOWN,
  NFUNCTIONS
};
enum { BYTES = 0x100, SECOND = 0x80 }; /* of a function; where its second block is */

static struct object object;
static struct symbol symbols[NFUNCTIONS + 1];
static struct map_block map[2 * NFUNCTIONS];
static struct block list[2 * NFUNCTIONS];
static struct model model;
static struct blocks blocks;
static struct callgraph graph;
static struct share_reliability reliability;

static uint64_t
address (int function)
{
  return 0x1000 + (uint64_t) function * BYTES;
}

static void
call (int from, unsigned place, int to, uint64_t count)
{
  ck_assert (profile_add_call (&model.profile, address (from) + place, address (to), count));
}

static void
edge (uint64_t from, uint64_t to)
{
  ck_assert (edges_add (&model.edges, (struct edge) { from, to, 1 }));
}

/* Two blocks for each function that was compiled with counters, the second behind the first. */
static void
make_functions (void)
{
  for (int i = 0; i < NFUNCTIONS; i++)
    {
      symbols[i] = (struct symbol) { .address = address (i),
                                     .end = address (i) + BYTES - 1,
                                     .name = "f",
                                     .object = &object,
                                     .is_function = true };
      for (size_t k = 0; k < 2 && i != UNKNOWN; k++)
        {
          size_t n = 2 * (size_t) i + k;
          map[n] = (struct map_block) { .start = address (i) + k * SECOND,
                                        .function = 2 * (size_t) i };
          list[n] = (struct block) { .start = map[n].start,
                                     .end = map[n].start + SECOND,
                                     .count = 1,
                                     .symbol = &symbols[i],
                                     .map = &map[n] };
        }
      if (i == UNKNOWN)
        continue;
      edge (0, address (i));
      edge (address (i), address (i) + SECOND);
      edge (address (i) + SECOND, 0);
    }
}

static void
setup (void)
{
  struct error err;
  make_functions ();
  edge (address (BRANCHES), 0);
  list[2 * BRANCHES].count++;
  edge (0, address (LANDS) + SECOND);
  edge (address (LANDS) + SECOND, 0);
  list[2 * LANDS + 1].count++;
  list[2 * PARTLY].count++; /* of a profile without sidecar */
  for (int to = STRAIGHT; to <= UNKNOWN; to++)
    if (to != ONE && to != TWO && to != PONG)
      {
        call (MAIN, (unsigned) to, to, 10);
        call (OTHER, (unsigned) to, to, 10);
      }
  call (CALLS_STRAIGHT, 8, STRAIGHT, 20);
  call (CALLS_BRANCHES, 8, BRANCHES, 20);
  call (CHOOSES, 8, ONE, 10);
  call (CHOOSES, 8, TWO, 10);
  call (PING, 8, PONG, 20);
  call (PONG, 8, PING, 5);
  ck_assert (profile_finish (&model.profile) && edges_finish (&model.edges));
  model.symtab = (struct symtab) { .symbols = symbols, .count = NFUNCTIONS };
  blocks = (struct blocks) { .blocks = list,
                             .count = 2 * UNKNOWN,
                             .map = { .blocks = map, .count = 2 * UNKNOWN } };
  ck_assert (callgraph_build (&graph, &model.symtab, &model.profile, &err));
  for (uint32_t i = 0; i < graph.narcs; i++)
    graph.arcs[i].time = graph.nodes[graph.arcs[i].parent].head
                         != graph.nodes[graph.arcs[i].child].head;
  ck_assert (share_reliability_build (&reliability, &graph, &blocks, &model));
}

static void
teardown (void)
{
  share_reliability_free (&reliability);
  callgraph_free (&graph);
  profile_free (&model.profile);
  edges_free (&model.edges);
}

START_TEST (shares)
{
  static const bool assumed[NFUNCTIONS]
      = { [BRANCHES] = true, [CALLS_BRANCHES] = true, [CHOOSES] = true, [PING] = true,
          [PONG] = true,     [LANDS] = true,          [PARTLY] = true,  [UNKNOWN] = true };
  for (int i = 0; i < NFUNCTIONS; i++)
    ck_assert_msg (reliability.assumed[i] == assumed[i], "function %d", i);
}
END_TEST

START_TEST (totals)
{
  static const bool inherits[NFUNCTIONS]
      = { [MAIN] = true, [OTHER] = true, [CALLS_BRANCHES] = true };
  for (int i = 0; i < NFUNCTIONS; i++)
    ck_assert_msg (reliability.inherits[i] == inherits[i], "function %d", i);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { shares }, { totals } };
  return unit_run (UNIT_SUITE ("trust", UNIT_CASE (tests, .set_up = setup, .tear_down = teardown)));
}
