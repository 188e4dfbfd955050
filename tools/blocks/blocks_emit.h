/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `bbprof blocks' shows, ready to be printed in one of several formats. */
#ifndef BBPROF_BLOCKS_EMIT_H
#define BBPROF_BLOCKS_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/blocks/blocks.h"
#include "model/model.h"
#include "tools/view/block_row.h"
#include "tools/view/style.h"

struct block_table {
  const char *program;
  const struct model *model;
  const struct blocks *blocks;
  struct block_row *rows; /* the hottest first */
  size_t nrows;
  bool many_objects; /* not all rows are the executable's */
  uint64_t window;   /* of a trace: only the last so many blocks of each thread; 0: all */
  bool edges;        /* show how control came to each, and went on */
};

/* Chooses the rows, MOST at most, then looks up names and lines for those only.  False if memory
   is short; blocks_choose_free is right in both cases. */
bool blocks_choose (struct block_table *, size_t most, struct error *);
void blocks_choose_free (struct block_table *);

/* False: no memory. */
bool blocks_emit_text (FILE *, const struct block_table *, const struct style *);
void blocks_emit_json (FILE *, const struct block_table *);

/* How control came to the block, and how it went on; how many edges that is. */
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

/* Part of the whole in percent; 0 of nothing is 0. */
static inline double
blocks_percent (double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

#endif
