/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the lines and the instructions that have most. */
#include <stdlib.h>

#include "common/array.h"
#include "tools/annotate/annotate.h"

struct rank {
  double samples;
  uint64_t executions;
  size_t index;
};

static int
compare_ranks (const void *a, const void *b, void *context)
{
  const struct rank *x = a, *y = b;
  (void) context;
  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  if (x->executions != y->executions)
    return x->executions > y->executions ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

bool
annotate_most (struct annotation *a, size_t most)
{
  const size_t nranks = a->nlines > a->ninstructions ? a->nlines : a->ninstructions;
  struct rank *ranks = calloc (nranks + 1, sizeof *ranks);
  a->most = most;
  for (size_t i = 0; ranks && i < a->nlines; i++)
    ranks[i] = (struct rank) { a->lines[i].samples, a->lines[i].count.executions, i };
  bool ok = ranks && array_sort (ranks, a->nlines, sizeof *ranks, compare_ranks, NULL);
  for (size_t i = 0; ok && i < a->nlines; i++)
    a->lines[ranks[i].index].shown = i < most;
  for (size_t i = 0; ok && i < a->ninstructions; i++)
    ranks[i] = (struct rank) { a->instructions[i].samples, a->instructions[i].count.executions, i };
  ok = ok && array_sort (ranks, a->ninstructions, sizeof *ranks, compare_ranks, NULL);
  for (size_t i = 0; ok && i < a->ninstructions; i++)
    a->instructions[ranks[i].index].shown = i < most;
  free (ranks);
  return ok;
}
