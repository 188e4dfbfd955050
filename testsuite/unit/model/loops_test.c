/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of natural loops: graphs with known loops, and many random graphs against the definition
   of a dominator: every way from the entry to the block leads through it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/bbprof-abi.h"
#include "model/blocks/loops.h"
#include "testsuite/unit/unit.h"

enum { MOST = 64 };

/* Functions one behind the other, each way as "from to". */
struct program {
  struct map map;
  struct map_block blocks[MOST];
  struct map_way ways[4 * MOST];
};

/* Adds a function of N blocks; NEXT: four places for each block, ended by -1. */
static void
add_function (struct program *p, size_t n, int (*next)[4])
{
  size_t first = p->map.count;
  p->map.blocks = p->blocks;
  p->map.ways = p->ways;
  for (size_t b = 0; b < n; b++)
    {
      struct map_block *block = &p->blocks[p->map.count++];
      *block = (struct map_block) { .function = first, .first_way = p->map.nways };
      for (int i = 0; i < 4 && next[b][i] >= 0; i++)
        p->ways[p->map.nways++] = (struct map_way) { .to = first + (size_t) next[b][i] };
      block->nways = p->map.nways - block->first_way;
    }
}

/* Two loops, one in the other, in the second function; a loop of one block in the first. */
START_TEST (nested)
{
  int one[][4] = { { 1, -1 }, { 1, 2, -1 }, { -1 } };
  int two[][4] = { { 1, -1 }, { 2, 5, -1 }, { 3, -1 }, { 3, 4, -1 }, { 1, -1 }, { -1 } };
  struct program p = { 0 };
  struct loops l;
  add_function (&p, 3, one);
  add_function (&p, 6, two);
  ck_assert (loops_find (&l, &p.map));
  ck_assert_uint_eq (l.count, 3);
  ck_assert_uint_eq (l.loops[0].head, 1);
  ck_assert (l.loops[0].returns);
  ck_assert_uint_eq (l.loops[1].head, 3 + 3);
  ck_assert_uint_eq (l.loops[1].around, 2);
  ck_assert_uint_eq (l.loops[1].depth, 2);
  ck_assert_uint_eq (l.loops[2].head, 3 + 1);
  ck_assert_uint_eq (l.loops[2].depth, 1);
  ck_assert (!l.loops[2].returns);
  ck_assert (loops_contain (&l, 2, 3 + 3) && loops_contain (&l, 2, 3 + 4)
             && !loops_contain (&l, 2, 3 + 5));
  ck_assert (!loops_contain (&l, 1, 3 + 4) && !loops_contain (&l, 1, 1));
  loops_free (&l);
}
END_TEST

/* A circle with two ways in is no natural loop, however the second one leads there. */
START_TEST (two_ways_in)
{
  int next[][4] = { { 1, 2, -1 }, { 2, -1 }, { 1, 3, -1 }, { -1 } };
  int landing[][4] = { { 1, -1 }, { 2, -1 }, { 1, 3, -1 }, { -1 } };
  struct program p = { 0 }, q = { 0 };
  struct loops l;
  add_function (&p, 4, next);
  ck_assert (loops_find (&l, &p.map));
  ck_assert_uint_eq (l.count, 0);
  loops_free (&l);
  add_function (&q, 4, landing);
  ck_assert (loops_find (&l, &q.map));
  ck_assert_uint_eq (l.count, 1);
  loops_free (&l);
  q.blocks[2].shape = BBP_BLOCK_IN;
  ck_assert (loops_find (&l, &q.map));
  ck_assert_uint_eq (l.count, 0);
  loops_free (&l);
}
END_TEST

/* By the words.  */

static void
reach (const struct program *p, size_t block, size_t without, bool *seen)
{
  if (block == without || seen[block])
    return;
  seen[block] = true;
  for (size_t i = 0; i < p->blocks[block].nways; i++)
    reach (p, p->ways[p->blocks[block].first_way + i].to, without, seen);
}

static void
reach_all (const struct program *p, size_t without, bool *seen)
{
  memset (seen, 0, MOST * sizeof *seen);
  for (size_t b = 0; b < p->map.count; b++)
    if (b == 0 || (p->blocks[b].shape & BBP_BLOCK_IN))
      reach (p, b, without, seen);
}

/* Is BLOCK in the loop with this head, which is above all of its tails?  It is if it comes to
   one of them without the head. */
static bool
belongs (const struct program *p, size_t head, size_t block, const bool *reachable,
         const bool *above)
{
  bool seen[MOST] = { false };
  if (block == head)
    return true;
  reach (p, block, head, seen);
  for (size_t b = 0; b < p->map.count; b++)
    for (size_t i = 0; seen[b] && reachable[b] && above[b] && i < p->blocks[b].nways; i++)
      if (p->ways[p->blocks[b].first_way + i].to == head)
        return reachable[block];
  return false;
}

/* How many loops there are by the words; each of them is in L, with the same blocks. */
static size_t
compare (const struct program *p, const struct loops *l)
{
  bool reachable[MOST], without[MOST], above[MOST];
  size_t n = 0;
  reach_all (p, MOST, reachable);
  for (size_t head = 0; head < p->map.count; head++)
    {
      bool is_loop = false;
      reach_all (p, head, without);
      for (size_t b = 0; b < p->map.count; b++)
        {
          above[b] = reachable[b] && !without[b];
          for (size_t i = 0; above[b] && i < p->blocks[b].nways; i++)
            is_loop |= p->ways[p->blocks[b].first_way + i].to == head;
        }
      size_t found = 0;
      while (found < l->count && l->loops[found].head != head)
        found++;
      ck_assert_int_eq (found < l->count, is_loop);
      n += is_loop;
      for (size_t b = 0; is_loop && b < p->map.count; b++)
        ck_assert_int_eq (loops_contain (l, found, b), belongs (p, head, b, reachable, above));
    }
  return n;
}

START_TEST (random_graphs)
{
  size_t n = 0;
  srand (1);
  for (int round = 0; round < 5000; round++)
    {
      struct program p = { 0 };
      struct loops l;
      int next[MOST][4], blocks = 1 + rand () % 12;
      for (int b = 0; b < blocks; b++)
        for (int i = 0, ways = rand () % 4; i < 4; i++)
          next[b][i] = i < ways ? rand () % blocks : -1;
      add_function (&p, (size_t) blocks, next);
      for (int b = 0; b < blocks; b++)
        p.blocks[b].shape = rand () % 16 == 0 ? BBP_BLOCK_IN : 0;
      ck_assert (loops_find (&l, &p.map));
      ck_assert_uint_eq (compare (&p, &l), l.count);
      n += l.count;
      loops_free (&l);
    }
  ck_assert_uint_gt (n, 5000);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { nested }, { two_ways_in }, { random_graphs } };
  return unit_run (UNIT_SUITE ("loops", UNIT_CASE (tests)));
}
