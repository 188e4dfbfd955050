/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "tools/flame/flame_layout.h"

/* Bounds are rounded, not widths: so the cells of one frame fit into it exactly. */
static size_t
column_at (const struct flame_layout *l, uint64_t ticks)
{
  return l->all > 0 ? (size_t) ((unsigned __int128) ticks * l->columns / l->all) : 0;
}

static bool
is_narrow (const struct flame_layout *l, uint64_t ticks)
{
  return (unsigned __int128) ticks * l->columns < l->all;
}

static bool
add_cell (struct flame_layout *l, uint32_t node, uint64_t start, uint64_t ticks)
{
  size_t column = column_at (l, start), end = column_at (l, start + ticks);
  if (end == column)
    return true;
  if (!array_grow (&l->cells, l->ncells, &l->room_cells, sizeof *l->cells))
    return false;
  l->cells[l->ncells++] = (struct flame_cell) { node, start, ticks, column, end - column };
  return true;
}

/* Adds the cells below CELL, which is a copy because the array moves. */
static bool
add_children (struct flame_layout *l, const struct contexts *tree, const uint64_t *totals,
              struct flame_cell cell)
{
  uint64_t at = cell.start, narrow = 0;
  bool ok = true;
  for (uint32_t i = tree->nodes[cell.node].first; ok && i != 0; i = tree->nodes[i].next)
    if (is_narrow (l, totals[i]))
      narrow += totals[i];
    else
      {
        ok = add_cell (l, i, at, totals[i]);
        at += totals[i];
      }
  l->narrow += narrow;
  return ok && add_cell (l, FLAME_NARROW, at, narrow);
}

static bool
end_row (struct flame_layout *l)
{
  if (!array_grow (&l->rows, l->nrows + 1, &l->room_rows, sizeof *l->rows))
    return false;
  l->rows[++l->nrows] = l->ncells;
  return true;
}

static uint64_t
ticks_below (const struct contexts *tree, const uint64_t *totals, const struct flame_cell *cell)
{
  return cell->node == FLAME_NARROW ? 0 : totals[cell->node] - tree->nodes[cell->node].ticks;
}

bool
flame_layout_make (struct flame_layout *l, const struct contexts *tree, const uint64_t *totals,
                   size_t columns, size_t depth)
{
  *l = (struct flame_layout) { .all = tree->count > 0 ? totals[0] : 0, .columns = columns };
  if (!array_grow (&l->rows, 0, &l->room_rows, sizeof *l->rows))
    return false;
  l->rows[0] = 0;
  bool ok = add_cell (l, 0, 0, l->all) && (l->ncells == 0 || end_row (l)), more = l->ncells > 0;
  while (ok && more && l->nrows <= depth)
    {
      size_t first = l->rows[l->nrows - 1], end = l->rows[l->nrows];
      for (size_t i = first; ok && i < end; i++)
        ok = l->cells[i].node == FLAME_NARROW || add_children (l, tree, totals, l->cells[i]);
      more = l->ncells > end;
      ok = ok && (!more || end_row (l));
    }
  for (size_t i = l->nrows > depth ? l->rows[depth] : l->ncells; ok && i < l->ncells; i++)
    l->deep += ticks_below (tree, totals, &l->cells[i]);
  return ok;
}

void
flame_layout_free (struct flame_layout *l)
{
  free (l->cells);
  free (l->rows);
}
