/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `bbprof blocks' as data, ready to be printed in one of several formats. */
#ifndef BBPROF_BLOCKS_EMIT_H
#define BBPROF_BLOCKS_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/blocks/blocks.h"
#include "model/model.h"
#include "tools/view/block_row.h"
#include "tools/view/style.h"

enum blocks_sort {
  BLOCKS_BY_EXECUTIONS, /* most first */
  BLOCKS_BY_SAMPLES,
  BLOCKS_BY_FUNCTION, /* in the order of addresses */
};

struct block_table {
  const char *program;
  const struct model *model;
  const struct blocks *blocks;
  enum blocks_sort sort;
  struct block_row *rows; /* in this order */
  size_t nrows;
  bool many_objects;             /* some rows are of other objects than the executable */
  uint64_t window;               /* of a trace: only so many last blocks of each thread; 0: all */
  bool edges;                    /* show the edges to and from each block */
  const char *function, *object; /* patterns of those that are shown; null: all */
};

/* Chooses at most MOST rows, and looks up names and lines for these.  False: ERR says why, for
   example that no function matches.  Call blocks_choose_free in both cases. */
bool blocks_choose (struct block_table *, size_t most, struct error *);
void blocks_choose_free (struct block_table *);

/* False: no memory. */
bool blocks_emit_text (FILE *, const struct block_table *, const struct style *);
void blocks_emit_json (FILE *, const struct block_table *);

/* The edges to the block, and from it; returns their number. */
static inline size_t
block_ways_in (const struct block_table *t, const struct block *b, const struct edge **first)
{
  return edges_to (&t->model->edges, b->start, first);
}

static inline size_t
block_ways_out (const struct block_table *t, const struct block *b, const struct edge **first)
{
  return edges_from (&t->model->edges, b->start, first);
}

/* Part of the whole in percent; 0 if there is nothing. */
static inline double
blocks_percent (double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

#endif
