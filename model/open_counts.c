/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/open_counts.h"

struct open_count
open_sum (struct open_count a, struct open_count b)
{
  return (struct open_count) { a.more + b.more, a.fewer + b.fewer };
}

struct open_count
open_less (struct open_count a, struct open_count b)
{
  return (struct open_count) { a.more + b.fewer, a.fewer + b.more };
}

static uint64_t
count_of (const struct edges *list, uint64_t from, uint64_t to)
{
  const struct edge *edge;
  for (size_t n = edges_from (list, from, &edge); n > 0; n--, edge++)
    if (edge->to == to)
      return edge->count;
  return 0;
}

void
open_blocks (struct blocks *b, const struct model *m)
{
  const struct edges *more = &m->open[BBX_OPEN_MORE], *fewer = &m->open[BBX_OPEN_FEWER];
  for (size_t i = 0; i < b->count && more->count + fewer->count > 0; i++)
    {
      struct block *block = &b->blocks[i];
      block->open = (struct open_count) { count_of (more, block->start, block->start),
                                          count_of (fewer, block->start, block->start) };
    }
}

struct open_count
open_edge (const struct model *m, uint64_t from, uint64_t to)
{
  return (struct open_count) { count_of (&m->open[BBX_OPEN_EDGES_MORE], from, to),
                               count_of (&m->open[BBX_OPEN_EDGES_FEWER], from, to) };
}

static uint64_t
calls_from (const struct edges *list, uint64_t point)
{
  const struct edge *edge;
  uint64_t sum = 0;
  for (size_t n = edges_from (list, point, &edge); n > 0; n--, edge++)
    sum += edge->to != point ? edge->count : 0;
  return sum;
}

struct open_count
open_calls_from (const struct model *m, uint64_t point)
{
  return (struct open_count) { calls_from (&m->open[BBX_OPEN_MORE], point),
                               calls_from (&m->open[BBX_OPEN_FEWER], point) };
}

static uint64_t
calls (const struct model *m, const struct edges *list, const struct symbol *from,
       const struct symbol *to)
{
  const struct edge *edge;
  uint64_t sum = 0;
  for (size_t n = edges_to (list, to->address, &edge); n > 0; n--, edge++)
    if (edge->from != edge->to
        && (edge->from ? from && symtab_find (&m->symtab, edge->from - 1) == from : !from))
      sum += edge->count;
  return sum;
}

struct open_count
open_calls (const struct model *m, const struct symbol *from, const struct symbol *to)
{
  if (!to)
    return (struct open_count) { 0 };
  return (struct open_count) { calls (m, &m->open[BBX_OPEN_MORE], from, to),
                               calls (m, &m->open[BBX_OPEN_FEWER], from, to) };
}

char *
open_count_text (char buffer[OPEN_COUNT_TEXT], uint64_t count, struct open_count open)
{
  if (open.more > 0 && open.fewer > 0)
    snprintf (buffer, OPEN_COUNT_TEXT, "%" PRIu64 "-%" PRIu64 "..+%" PRIu64, count, open.fewer,
              open.more);
  else if (open.more + open.fewer > 0)
    snprintf (buffer, OPEN_COUNT_TEXT, "%" PRIu64 "%s0..%" PRIu64, count, open.more > 0 ? "+" : "-",
              open.more + open.fewer);
  else
    snprintf (buffer, OPEN_COUNT_TEXT, "%" PRIu64, count);
  return buffer;
}
