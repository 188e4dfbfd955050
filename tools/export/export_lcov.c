/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tracefile of lcov (its manual geninfo(1) has the format): for each source file the calls of
   functions, the ways that branches took, and the executions of lines.  Exceptions are no branches
   here: control that leaves a block by one does not take an edge. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "tools/export/export_code.h"

/* A function, with its copies.  LINE: an index of annotation.lines. */
struct function {
  uint64_t line;
  const char *name; /* as the linker has it, without the suffix of a copy; LENGTH bytes */
  size_t length;
  uint64_t calls;
};

/* A way out of a block with several. */
struct way {
  uint64_t line;
  unsigned block, number; /* the block among those of the line, and the way among those of it */
  bool executed;          /* its block */
  uint64_t count;
};

struct lcov {
  FILE *out;
  const struct export_view *view;
  struct annotation code;
  struct function *functions; /* by line */
  size_t nfunctions, room_functions;
  struct way *ways; /* by line */
  size_t nways, room_ways;
  unsigned *blocks; /* of each line: those with several ways, so far */
};

/* Functions. */

/* Is it a part of a function, to which control goes without a call? */
static bool
is_part (const char *suffix)
{
  return strncmp (suffix, ".cold", 5) == 0 || strncmp (suffix, ".part", 5) == 0;
}

static bool
add_function (struct lcov *l, const struct annotated_piece *piece)
{
  const struct annotated_block *first = &l->code.blocks[piece->first_block];
  const char *name = piece->symbol->name;
  size_t length = *name ? 1 + strcspn (name + 1, ".") : 0;
  if (first->ninstructions == 0 || !piece->entries.known || is_part (name + length))
    return true;
  const struct annotated_origin *origin
      = &l->code.origins[l->code.instructions[first->first].origin];
  if (origin->nframes == 0)
    return true;
  if (!array_grow (&l->functions, l->nfunctions, &l->room_functions, sizeof *l->functions))
    return false;
  l->functions[l->nfunctions++]
      = (struct function) { .line = origin->levels[origin->nframes - 1].line,
                            .name = name,
                            .length = length,
                            .calls = piece->entries.executions };
  return true;
}

static bool
is_same_function (const struct function *a, const struct function *b)
{
  return a->line == b->line && a->length == b->length && memcmp (a->name, b->name, a->length) == 0;
}

/* By line.  Copies of one become one. */
static bool
find_functions (struct lcov *l)
{
  bool ok = true;
  for (size_t i = 0; ok && i < l->code.npieces; i++)
    ok = add_function (l, &l->code.pieces[i]);
  ok = ok
       && array_sort_by_number (l->functions, l->nfunctions, sizeof *l->functions,
                                offsetof (struct function, line));
  size_t n = 0, first = 0; /* of the current line */
  for (size_t i = 0; ok && i < l->nfunctions; i++)
    {
      const struct function new = l->functions[i];
      if (n > first && l->functions[first].line != new.line)
        first = n;
      size_t k = first;
      while (k < n && !is_same_function (&l->functions[k], &new))
        k++;
      if (k < n)
        l->functions[k].calls += new.calls;
      else
        l->functions[n++] = new;
    }
  l->nfunctions = n;
  return ok;
}

/* Branches. */

static uint64_t
edge_count (const struct lcov *l, uint64_t from, uint64_t to)
{
  const struct edge *edge;
  for (size_t n = edges_from (&l->view->model->edges, from, &edge); n > 0; n--, edge++)
    if (edge->to == to)
      return edge->count;
  return 0;
}

static bool
add_way (struct lcov *l, const struct block *b, size_t line, unsigned number, uint64_t to)
{
  if (!array_grow (&l->ways, l->nways, &l->room_ways, sizeof *l->ways))
    return false;
  l->ways[l->nways++] = (struct way) { .line = line,
                                       .block = l->blocks[line],
                                       .number = number,
                                       .executed = b->count > 0,
                                       .count = edge_count (l, b->start, to) };
  return true;
}

/* The branch or the jump by a table at the end of BLOCK, if it has several ways.  One of a branch
   may leave the function. */
static bool
add_ways (struct lcov *l, const struct annotated_block *block)
{
  const struct map *map = &l->view->blocks.map;
  const struct map_block *b = block->block ? block->block->map : NULL;
  if (!b || block->ninstructions == 0)
    return true;
  const struct annotated_instruction *last
      = &l->code.instructions[block->first + block->ninstructions - 1];
  bool leaves = (b->shape & BBP_BLOCK_OUT) && last->code.kind == INSTRUCTION_BRANCH;
  size_t line = l->code.origins[last->origin].line;
  if (b->nways + leaves < 2 || line == ANNOTATE_NONE)
    return true;
  bool ok = true;
  unsigned number = 0;
  for (size_t i = 0; ok && i < b->nways; i++)
    ok = add_way (l, block->block, line, number++,
                  map->blocks[map->ways[b->first_way + i].to].start);
  if (leaves)
    ok = ok && add_way (l, block->block, line, number, 0);
  l->blocks[line]++;
  return ok;
}

static bool
find_ways (struct lcov *l)
{
  bool ok = (l->blocks = calloc (l->code.nlines + 1, sizeof *l->blocks)) != NULL;
  for (size_t i = 0; ok && annotate_has_edges (&l->code) && i < l->code.nblocks; i++)
    ok = add_ways (l, &l->code.blocks[i]);
  return ok
         && array_sort_by_number (l->ways, l->nways, sizeof *l->ways, offsetof (struct way, line));
}

/* The file. */

struct position {
  size_t function, way;
};

/* Those at lines before END. */
static void
put_functions (const struct lcov *l, struct position *p, size_t end)
{
  size_t first = p->function, hit = 0;
  for (; p->function < l->nfunctions && l->functions[p->function].line < end; p->function++)
    {
      const struct function *f = &l->functions[p->function];
      fprintf (l->out, "FN:%u,%.*s\n", l->code.lines[f->line].line, (int) f->length, f->name);
    }
  for (size_t i = first; i < p->function; i++)
    {
      const struct function *f = &l->functions[i];
      fprintf (l->out, "FNDA:%" PRIu64 ",%.*s\n", f->calls, (int) f->length, f->name);
      hit += f->calls > 0;
    }
  fprintf (l->out, "FNF:%zu\nFNH:%zu\n", p->function - first, hit);
}

static void
put_ways (const struct lcov *l, struct position *p, size_t end)
{
  size_t first = p->way, hit = 0;
  for (; p->way < l->nways && l->ways[p->way].line < end; p->way++)
    {
      const struct way *w = &l->ways[p->way];
      fprintf (l->out, "BRDA:%u,%u,%u,", l->code.lines[w->line].line, w->block, w->number);
      fprintf (l->out, w->executed ? "%" PRIu64 "\n" : "-\n", w->count);
      hit += w->count > 0;
    }
  if (p->way > first)
    fprintf (l->out, "BRF:%zu\nBRH:%zu\n", p->way - first, hit);
}

static bool
is_counted (const struct annotated_line *line)
{
  return line->count.known && line->line > 0;
}

static void
put_lines (const struct lcov *l, size_t first, size_t end)
{
  size_t found = 0, hit = 0;
  for (size_t i = first; i < end; i++)
    if (is_counted (&l->code.lines[i]))
      {
        uint64_t count = l->code.lines[i].count.executions;
        fprintf (l->out, "DA:%u,%" PRIu64 "\n", l->code.lines[i].line, count);
        found++;
        hit += count > 0;
      }
  fprintf (l->out, "LF:%zu\nLH:%zu\nend_of_record\n", found, hit);
}

static void
put_all (const struct lcov *l)
{
  const struct annotated_line *lines = l->code.lines;
  struct position p = { 0 };
  for (size_t first = 0, end; first < l->code.nlines; first = end)
    {
      for (end = first + 1;
           end < l->code.nlines && strcmp (lines[first].file, lines[end].file) == 0;)
        end++;
      fprintf (l->out, "TN:\nSF:%s\n", lines[first].file);
      put_functions (l, &p, end);
      put_ways (l, &p, end);
      put_lines (l, first, end);
    }
}

bool
export_lcov (FILE *out, const struct export_view *v, struct error *err)
{
  struct lcov l = { .out = out, .view = v };
  bool ok = export_code_read (&l.code, v, err);
  if (ok && l.code.nlines == 0)
    ok = error_set (err, v->program, ERROR_NO_OFFSET,
                    "no source lines of counted code (compile with -g to have them)");
  ok = ok && ((find_functions (&l) && find_ways (&l)) || error_no_memory (err));
  if (ok)
    put_all (&l);
  annotate_free (&l.code);
  free (l.functions);
  free (l.ways);
  free (l.blocks);
  return ok && error_if_unwritten (out, err);
}
