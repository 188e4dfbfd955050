/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the layout of flame graphs.  Hand-made trees have the cells that the rule says.  In
   random ones each cell lies below the cell of its caller, cells do not overlap, none is narrower
   than a column, each is within a column of its exact width, and all samples that no cell shows are
   counted. */
#include <stdlib.h>

#include "testsuite/unit/unit.h"
#include "tools/flame/flame_layout.h"

struct made {
  struct contexts tree;
  uint64_t *totals;
  struct flame_layout layout;
};

/* Adds a frame with the self time TICKS. */
static uint32_t
add (struct made *m, uint32_t parent, uint64_t address, uint64_t ticks)
{
  uint32_t node = contexts_enter (&m->tree, parent, 1, address);
  ck_assert_uint_ne (node, 0);
  m->tree.nodes[node].ticks += ticks;
  return node;
}

static void
lay_out (struct made *m, size_t columns, size_t depth)
{
  ck_assert (contexts_sort (&m->tree));
  m->totals = contexts_totals (&m->tree);
  ck_assert_ptr_nonnull (m->totals);
  ck_assert (flame_layout_make (&m->layout, &m->tree, m->totals, columns, depth));
}

static void
put_away (struct made *m)
{
  flame_layout_free (&m->layout);
  free (m->totals);
  contexts_free (&m->tree);
}

static void
expect_cell (const struct made *m, size_t i, uint32_t node, size_t column, size_t width)
{
  const struct flame_cell *c = &m->layout.cells[i];
  ck_assert_uint_lt (i, m->layout.ncells);
  ck_assert_uint_eq (c->node, node);
  ck_assert_uint_eq (c->column, column);
  ck_assert_uint_eq (c->width, width);
}

START_TEST (without_samples)
{
  struct made m = { 0 };
  lay_out (&m, 80, 40);
  ck_assert_uint_eq (m.layout.ncells, 0);
  ck_assert_uint_eq (m.layout.nrows, 0);
  put_away (&m);
  add (&m, 0, 1, 0);
  lay_out (&m, 80, 40);
  ck_assert_uint_eq (m.layout.ncells, 0);
  ck_assert_uint_eq (m.layout.nrows, 0);
  put_away (&m);
}
END_TEST

/* Ten columns for a hundred samples. */
START_TEST (widths)
{
  struct made m = { 0 };
  uint32_t main = add (&m, 0, 1, 15), small = add (&m, main, 2, 9), ten = add (&m, main, 3, 0),
           most = add (&m, main, 4, 60), tiny = add (&m, main, 5, 6), below = add (&m, ten, 6, 10);
  add (&m, small, 7, 0);
  lay_out (&m, 10, 40);
  ck_assert_uint_eq (m.layout.nrows, 4);
  ck_assert_uint_eq (m.layout.ncells, 6);
  expect_cell (&m, 0, 0, 0, 10);
  expect_cell (&m, 1, main, 0, 10);
  expect_cell (&m, 2, ten, 0, 1);
  expect_cell (&m, 3, most, 1, 6);
  expect_cell (&m, 4, FLAME_NARROW, 7, 1); /* 70 to 85; then self time */
  expect_cell (&m, 5, below, 0, 1);
  ck_assert_uint_eq (m.layout.cells[4].ticks, 15);
  ck_assert_uint_eq (m.totals[small] + m.totals[tiny], 15);
  ck_assert_uint_eq (m.layout.rows[2], 2);
  ck_assert_uint_eq (m.layout.rows[3], 5);
  ck_assert_uint_eq (m.layout.rows[4], 6);
  ck_assert_uint_eq (m.layout.narrow, 15);
  ck_assert_uint_eq (m.layout.deep, 0);
  put_away (&m);
}
END_TEST

/* Narrow frames that have no column together are counted all the same. */
START_TEST (narrower_together)
{
  struct made m = { 0 };
  uint32_t main = add (&m, 0, 1, 95);
  add (&m, main, 2, 3);
  add (&m, main, 3, 2);
  lay_out (&m, 10, 40);
  ck_assert_uint_eq (m.layout.nrows, 2);
  ck_assert_uint_eq (m.layout.ncells, 2);
  ck_assert_uint_eq (m.layout.narrow, 5);
  put_away (&m);
}
END_TEST

START_TEST (depths)
{
  enum { LEVELS = 1000, WIDE = 988 /* from there on less than 25 of 2000 samples */ };
  static const size_t limits[] = { 0, 1, 7, WIDE - 1, WIDE, LEVELS, LEVELS + 1 };
  struct made m = { 0 };
  uint32_t node = 0;
  const size_t depth = limits[_i];
  for (uint64_t i = 0; i < LEVELS; i++)
    node = add (&m, node, 1, 2);
  lay_out (&m, 80, depth);
  ck_assert_uint_eq (m.layout.nrows, 1 + (depth < WIDE ? depth : WIDE));
  ck_assert_uint_eq (m.layout.deep, depth <= WIDE ? 2 * (LEVELS - depth) : 0);
  ck_assert_uint_eq (m.layout.narrow, depth <= WIDE ? 0 : 2 * (LEVELS - WIDE));
  put_away (&m);
}
END_TEST

/* So many that a product with columns has more than 64 bits. */
START_TEST (large_numbers)
{
  const uint64_t quarter = UINT64_MAX / 4;
  struct made m = { 0 };
  uint32_t main = add (&m, 0, 1, 0), half = add (&m, main, 2, 2 * quarter),
           other = add (&m, main, 3, 2 * quarter);
  lay_out (&m, 1000, 40);
  ck_assert_uint_eq (m.layout.ncells, 4);
  expect_cell (&m, 2, half, 0, 500);
  expect_cell (&m, 3, other, 500, 500);
  put_away (&m);
}
END_TEST

static uint64_t
draw (uint64_t *state, uint64_t below)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (*state >> 33) % below;
}

/* The cell of the row above in which CELL lies. */
static const struct flame_cell *
cell_above (const struct flame_layout *l, size_t row, const struct flame_cell *cell)
{
  for (size_t i = l->rows[row - 1]; i < l->rows[row]; i++)
    if (l->cells[i].column <= cell->column && cell->column < l->cells[i].column + l->cells[i].width)
      return &l->cells[i];
  return NULL;
}

static void
judge (const struct made *m)
{
  const struct flame_layout *l = &m->layout;
  for (size_t row = 0; row < l->nrows; row++)
    {
      size_t column = 0;
      for (size_t i = l->rows[row]; i < l->rows[row + 1]; i++)
        {
          const struct flame_cell *c = &l->cells[i], *above;
          double exact = (double) c->ticks * (double) l->columns / (double) l->all;
          ck_assert_uint_ge (c->column, column);
          ck_assert_uint_ge (c->width, 1);
          column = c->column + c->width;
          ck_assert_double_lt ((double) c->width, exact + 1);
          ck_assert_double_gt ((double) c->width, exact - 1);
          if (row == 0)
            continue;
          above = cell_above (l, row, c);
          ck_assert_ptr_nonnull (above);
          ck_assert_uint_le (column, above->column + above->width);
          ck_assert_uint_ne (above->node, FLAME_NARROW);
          if (c->node != FLAME_NARROW)
            {
              ck_assert_uint_eq (m->tree.nodes[c->node].parent, above->node);
              ck_assert_uint_eq (c->ticks, m->totals[c->node]);
              ck_assert_double_ge (exact, 1);
            }
        }
      ck_assert_uint_le (column, l->columns);
    }
}

/* Of the cells that have a frame: their self time, with what no cell shows, is all. */
static uint64_t
accounted (const struct made *m)
{
  uint64_t sum = m->layout.narrow + m->layout.deep;
  for (size_t i = 1; i < m->layout.ncells; i++)
    if (m->layout.cells[i].node != FLAME_NARROW)
      sum += m->tree.nodes[m->layout.cells[i].node].ticks;
  return sum;
}

START_TEST (random_trees)
{
  uint64_t state = (uint64_t) _i;
  struct made m = { 0 };
  size_t nodes = 1 + draw (&state, 400);
  for (size_t i = 0; i < nodes; i++)
    {
      uint32_t parent = m.tree.count > 1 ? (uint32_t) draw (&state, m.tree.count) : 0;
      add (&m, parent, draw (&state, 5), draw (&state, 3) ? draw (&state, 100) : 0);
    }
  lay_out (&m, 1 + draw (&state, 200), draw (&state, 30));
  judge (&m);
  ck_assert_uint_eq (accounted (&m), m.layout.all);
  put_away (&m);
}
END_TEST

int
main (void)
{
  const struct unit_test layout[] = { { without_samples },   { widths },
                                      { narrower_together }, { depths, .times = 7 },
                                      { large_numbers },     { random_trees, .times = 200 } };
  return unit_run (UNIT_SUITE ("flame graphs", UNIT_CASE (layout)));
}
