/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the executions of the instructions and lines of an annotation. */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "model/open_counts.h"
#include "tools/annotate/annotate.h"

/* Count of the edge from the block at FROM to the one at TO. */
static uint64_t
edge_count (const struct annotation *a, uint64_t from, uint64_t to)
{
  const struct edge *edge;
  for (size_t n = edges_from (&a->model->edges, from, &edge); n > 0; n--, edge++)
    if (edge->to == to)
      return edge->count;
  return 0;
}

/* Instructions.  */

/* Index of BLOCK's call that returns to POINT, from the map; the number of calls: none. */
static size_t
find_call (const struct annotation *a, const struct map_block *block, uint64_t point)
{
  const struct map_call *calls = &a->all->map.calls[block->first_call];
  size_t before = ARRAY_BEFORE (i, block->ncalls, calls[i].point < point);
  return before < block->ncalls && calls[before].point == point ? before : block->ncalls;
}

/* Executions behind the last call of a block: the sum of the edges to other blocks.  If the
   block ends with a return this is unknown: it cannot be told whether the call or the return
   left the function. */
static struct annotated_count
behind_last_call (const struct annotation *a, const struct block *block,
                  struct annotated_count before)
{
  const struct edge *edge;
  struct annotated_count sum = { .known = before.known };
  if (!annotate_has_edges (a) || (block->map->shape & BBP_BLOCK_OUT))
    return before;
  for (size_t n = edges_from (&a->model->edges, block->start, &edge); n > 0; n--, edge++)
    if (edge->to)
      {
        sum.executions += edge->count;
        sum.open = open_sum (sum.open, open_edge (a->model, edge->from, edge->to));
      }
  return sum;
}

/* Number of calls that return to POINT. */
static uint64_t
calls_from (const struct profile *p, uint64_t point)
{
  uint64_t sum = 0;
  size_t before = ARRAY_BEFORE (i, p->ncalls, p->calls[i].from < point);
  for (; before < p->ncalls && p->calls[before].from == point; before++)
    sum += p->calls[before].count;
  return sum;
}

/* Has the function at ADDRESS a map, so that its direct calls are counted? */
static bool
is_counted (const struct annotation *a, uint64_t address)
{
  const struct symbol *s = address ? symtab_find (&a->model->symtab, address) : NULL;
  size_t i = s ? blocks_before (a->all, s->address) : a->all->count;
  return i < a->all->count && a->all->blocks[i].start <= s->end && a->all->blocks[i].map;
}

/* Code between two calls of a block runs as often as the second call is made, which its arcs
   tell; else at most as often as the code before the first call.  I: the instruction of the
   first call, which is call CALL of the map. */
static struct annotated_count
behind_call (const struct annotation *a, const struct annotated_block *b, size_t i, size_t call,
             struct annotated_count before)
{
  const struct map_call *next = &a->all->map.calls[b->block->map->first_call + call + 1];
  if (!b->block->map->arcs || !(next->kind & BBP_CALL_DIRECT) || (next->kind & BBP_CALL_TAIL))
    return before;
  while (i < b->first + b->ninstructions
         && a->instructions[i].code.address + a->instructions[i].code.size < next->point)
    i++;
  uint64_t calls = calls_from (&a->model->profile, next->point);
  bool known
      = calls > 0
        || (i < b->first + b->ninstructions && is_counted (a, a->instructions[i].code.target));
  if (!known || calls > before.executions)
    return before;
  return (struct annotated_count) { calls, before.known, open_calls_from (a->model, next->point) };
}

static bool
leads_to (const struct annotation *a, const struct block *block, uint64_t target)
{
  for (size_t i = 0; block->map && i < block->map->nways; i++)
    if (a->all->map.blocks[a->all->map.ways[block->map->first_way + i].to].start == target)
      return true;
  return false;
}

/* How often the code behind call I ran, if the call was made BEFORE times. */
static struct annotated_count
behind (const struct annotation *a, const struct annotated_block *b, size_t i,
        struct annotated_count before)
{
  const struct map_block *map = b->block->map;
  const struct instruction *code = &a->instructions[i].code;
  size_t call = map ? find_call (a, map, code->address + code->size) : 0;
  if (!map || call == map->ncalls
      || (a->all->map.calls[map->first_call + call].kind & BBP_CALL_FINAL))
    return before;
  return call + 1 < map->ncalls ? behind_call (a, b, i, call, before)
                                : behind_last_call (a, b->block, before);
}

/* Code behind a branch has the branch's count less the times that it was taken.  Code between a
   branch and its target in the same block is not counted. */
static void
count_instructions (struct annotation *a, struct annotated_block *b, struct annotated_count count)
{
  uint64_t skipped_to = 0;
  for (size_t i = b->first; i < b->first + b->ninstructions; i++)
    {
      struct annotated_instruction *is = &a->instructions[i];
      const struct instruction *code = &is->code;
      if (code->address >= skipped_to)
        is->count = count;
      if (code->kind == INSTRUCTION_CALL && b->block)
        count = behind (a, b, i, count);
      else if (code->kind == INSTRUCTION_BRANCH && b->block && is->way
               && leads_to (a, b->block, is->way))
        {
          uint64_t taken = edge_count (a, b->start, is->way);
          count.known &= annotate_has_edges (a);
          count.executions -= taken < count.executions ? taken : count.executions;
          count.open = open_less (count.open, open_edge (a->model, b->start, is->way));
        }
      else if (code->kind == INSTRUCTION_BRANCH && code->target > code->address
               && code->target <= b->end)
        skipped_to = code->target;
      else if (code->kind == INSTRUCTION_JUMP || code->kind == INSTRUCTION_END)
        count = (struct annotated_count) { 0 };
    }
}

/* Number of entries at the function's beginning; unknown for a part without an entry. */
static struct annotated_count
count_entries (const struct annotation *a, const struct annotated_piece *piece)
{
  const struct annotated_block *first = &a->blocks[piece->first_block];
  const struct edge *edge;
  if (first->kind == ANNOTATED_ENTRY)
    first++;
  const struct map_block *map = first->block ? first->block->map : NULL;
  struct annotated_count count
      = { .known = first->kind == ANNOTATED_BLOCK
                   && (!map || &a->all->map.blocks[map->function] == map) };
  if (count.known && !annotate_has_edges (a))
    count = annotate_block_count (first);
  else if (count.known)
    for (size_t n = edges_to (&a->model->edges, first->start, &edge); n > 0; n--, edge++)
      if (!edge->from)
        {
          count.executions += edge->count;
          count.open = open_edge (a->model, 0, first->start);
        }
  return count;
}

void
annotate_instruction_counts (struct annotation *a)
{
  for (size_t p = 0; p < a->npieces; p++)
    {
      struct annotated_piece *piece = &a->pieces[p];
      piece->entries = count_entries (a, piece);
      for (size_t b = piece->first_block; b < piece->first_block + piece->nblocks; b++)
        count_instructions (a, &a->blocks[b],
                            a->blocks[b].kind == ANNOTATED_ENTRY
                                ? piece->entries
                                : annotate_block_count (&a->blocks[b]));
    }
}

/* Lines.  */

/* The code in one block that belongs to one line and one inlined copy of it. */
struct visit {
  uint64_t key; /* the copy (struct annotated_level), then the block in 32 bits: their order */
  size_t line, block;
  bool own;            /* some of it belongs to the line itself, not to a function inlined there */
  bool first, last;    /* the block begins with it; ends with it */
  uint64_t executions; /* executions of its first instruction */
  struct open_count open;
};

struct visits {
  struct visit *all;
  size_t count, room;
};

/* Context of a search among visits. */
struct room {
  size_t *later; /* visits that remain to be followed */
  bool *seen;
};

static void
find_ordinary (struct annotation *a)
{
  for (size_t i = 0; i < a->ninstructions; i++)
    {
      const struct annotated_instruction *is = &a->instructions[i];
      const struct annotated_origin *origin = &a->origins[is->origin];
      if (origin->line != ANNOTATE_NONE && !a->blocks[is->block].cleanup)
        for (size_t k = origin->depth; k <= annotate_last_depth (a, origin); k++)
          a->lines[origin->levels[k].line].ordinary = true;
    }
}

/* A line of which only clean-up code is left has no known count. */
static bool
collect_visits (const struct annotation *a, struct visits *v)
{
  for (size_t i = 0; i < a->ninstructions; i++)
    {
      const struct annotated_instruction *is = &a->instructions[i];
      const struct annotated_origin *origin = &a->origins[is->origin];
      const struct annotated_block *b = &a->blocks[is->block];
      if (origin->line == ANNOTATE_NONE || !is->count.known || !b->block)
        continue;
      for (size_t k = origin->depth; k <= annotate_last_depth (a, origin); k++)
        {
          const struct annotated_level *level = &origin->levels[k];
          if (b->cleanup && !a->lines[level->line].ordinary)
            continue;
          if (!array_grow (&v->all, v->count, &v->room, sizeof *v->all))
            return false;
          v->all[v->count++] = (struct visit) { .key = level->copy << 32 | is->block,
                                                .line = level->line,
                                                .block = is->block,
                                                .own = k == 0,
                                                .first = i == b->first,
                                                .last = i == b->first + b->ninstructions - 1,
                                                .executions = is->count.executions,
                                                .open = is->count.open };
        }
    }
  return true;
}

/* Index of the visit in the block at ADDRESS, among N visits; N: none. */
static size_t
find_block (const struct annotation *a, const struct visit *visits, size_t n, uint64_t address)
{
  size_t before = ARRAY_BEFORE (i, n, a->blocks[visits[i].block].start < address);
  return before < n && a->blocks[visits[before].block].start == address ? before : n;
}

/* Is there a path from visit FROM to visit TO through the N visits? */
static bool
leads_around (const struct annotation *a, const struct visit *visits, size_t n, size_t from,
              size_t to, struct room *room)
{
  size_t left = 0;
  memset (room->seen, 0, n);
  room->later[left++] = from;
  room->seen[from] = true;
  while (left > 0 && !room->seen[to])
    {
      const struct edge *edge;
      size_t k = edges_from (&a->model->edges, a->blocks[visits[room->later[--left]].block].start,
                             &edge);
      for (; k > 0; k--, edge++)
        {
          size_t next = find_block (a, visits, n, edge->to);
          if (next < n && !room->seen[next])
            {
              room->seen[next] = true;
              room->later[left++] = next;
            }
        }
    }
  return room->seen[to];
}

/* Does control stay on the line from visit FROM to visit TO?  Not if the first block ends with
   other code.  Not if the edge goes back around a loop of the line's own code, which is a new
   execution of the line.  Not if the next block begins with other code.  A loop of inlined code
   does not count. */
static bool
stays (const struct annotation *a, const struct visit *visits, size_t n, size_t from, size_t to,
       struct room *room)
{
  if (!visits[from].last || from < to)
    return visits[from].last;
  return visits[to].first && !(visits[to].own && leads_around (a, visits, n, to, from, room));
}

/* How often control entered the N visits, which are of one copy of a line, each in another
   block. */
static struct annotated_count
count_visits (const struct annotation *a, const struct visit *visits, size_t n, struct room *room)
{
  struct annotated_count sum = { .known = true }, most = sum;
  uint64_t inside = 0;
  for (size_t i = 0; i < n; i++)
    {
      uint64_t start = a->blocks[visits[i].block].start, before = 0;
      const struct edge *edge;
      sum.executions += visits[i].executions;
      sum.open = open_sum (sum.open, visits[i].open);
      if (visits[i].executions > most.executions)
        most = (struct annotated_count) { visits[i].executions, true, visits[i].open };
      for (size_t k = edges_to (&a->model->edges, start, &edge); k > 0; k--, edge++)
        {
          size_t from = edge->from ? find_block (a, visits, n, edge->from) : n;
          if (from < n && stays (a, visits, n, from, i, room))
            {
              before += edge->count;
              sum.open = open_less (sum.open, open_edge (a->model, edge->from, edge->to));
            }
        }
      inside += before < visits[i].executions ? before : visits[i].executions;
    }
  sum.executions -= inside;
  return annotate_has_edges (a) ? sum : most;
}

static void
count_lines (struct annotation *a, struct visit *visits, size_t n, struct room *room)
{
  for (size_t start = 0, end; start < n; start = end)
    {
      size_t last = start;
      for (end = start + 1; end < n && visits[start].key >> 32 == visits[end].key >> 32; end++)
        if (visits[end].block != visits[last].block)
          visits[++last] = visits[end];
        else
          {
            visits[last].own |= visits[end].own;
            visits[last].last |= visits[end].last;
          }
      struct annotated_line *line = &a->lines[visits[start].line];
      line->count.known = true;
      const struct annotated_count count = count_visits (a, visits + start, last - start + 1, room);
      line->count.executions += count.executions;
      line->count.open = open_sum (line->count.open, count.open);
    }
}

bool
annotate_line_counts (struct annotation *a)
{
  struct visits v = { 0 };
  struct room room = { 0 };
  find_ordinary (a);
  bool ok = collect_visits (a, &v) && (room.later = malloc ((v.count + 1) * sizeof *room.later))
            && (room.seen = malloc (v.count + 1))
            && array_sort_by_number (v.all, v.count, sizeof *v.all, offsetof (struct visit, key));
  if (ok)
    count_lines (a, v.all, v.count, &room);
  free (v.all);
  free (room.later);
  free (room.seen);
  return ok;
}
