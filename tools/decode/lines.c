/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tools/decode/lines.h"

bool
lines_open (struct lines *l, struct trace *trace)
{
  *l = (struct lines) { .trace = trace,
                        .lines = calloc (trace_blocks (trace) + 1, sizeof *l->lines) };
  return l->lines != NULL;
}

void
lines_close (struct lines *l)
{
  free (l->lines);
}

const struct line *
lines_of (struct lines *l, const struct trace_block *block)
{
  struct line *line = &l->lines[block->number];
  if (!line->asked)
    line->file = trace_line (l->trace, block, &line->line);
  line->asked = true;
  return line;
}

bool
lines_same (struct lines *l, const struct trace_block *a, const struct trace_block *b)
{
  const struct line *x = lines_of (l, a), *y = lines_of (l, b);
  if (a == b)
    return true;
  return a->function == b->function && x->file && y->file && x->line == y->line
         && strcmp (x->file, y->file) == 0;
}
