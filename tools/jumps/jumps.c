/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "model/elf/demangle.h"
#include "tools/arguments/name_choice.h"
#include "tools/arguments/object_choice.h"
#include "tools/jumps/jumps.h"

/* The chosen functions: their blocks are listed. */
struct filter {
  const struct jumps *jumps;
  bool *wanted; /* of each symbol of the model; null: all are chosen */
};

/* The symbol of the function around BLOCK, or null. */
static const struct symbol *
function_of (const struct jumps *j, const struct block *block)
{
  const struct block *entry
      = block && block->map
            ? blocks_at (&j->blocks, j->blocks.map.blocks[block->map->function].start)
            : block;
  return entry ? entry->symbol : NULL;
}

static bool
wants (const struct filter *f, const struct block *block)
{
  const struct symbol *symbol = f->wanted ? function_of (f->jumps, block) : NULL;
  return !f->wanted || (symbol && f->wanted[symbol - f->jumps->model->symtab.symbols]);
}

static bool
is_in_object (const struct symbol *s, const char *pattern)
{
  return !pattern
         || (s->object && object_choice_is (pattern, object_name (s->object), s->object->path));
}

/* The next symbol behind *I of a function that ran, in an object that C chooses; null: none. */
static const struct symbol *
next_function (const struct jumps *j, const struct jumps_choice *c, size_t *i,
               const struct symbol *before)
{
  for (; *i < j->blocks.count; ++*i)
    {
      const struct block *block = &j->blocks.blocks[*i];
      const struct symbol *symbol = block->count > 0 ? function_of (j, block) : NULL;
      if (symbol && symbol != before && is_in_object (symbol, c->object))
        return symbol;
    }
  return NULL;
}

/* First pass, without WANTED: considers all functions.  Second pass: marks the chosen ones. */
static void
consider (const struct jumps *j, const struct jumps_choice *c, struct name_choice *choice,
          bool *wanted)
{
  size_t i = 0;
  for (const struct symbol *s = next_function (j, c, &i, NULL); s; s = next_function (j, c, &i, s))
    {
      char *name = demangle_name (model_program (j->model), s->name);
      if (wanted)
        wanted[s - j->model->symtab.symbols] = !c->function
                                               || name_choice_is (choice, s->name, name);
      else
        name_choice_consider (choice, s->name, name);
      free (name);
    }
}

/* False: ERR says what matches nothing. */
static bool
matches_some (const struct jumps *j, const struct jumps_choice *c, struct name_choice *choice,
              struct error *err)
{
  size_t i = 0;
  if (c->object && !next_function (j, c, &i, NULL))
    return object_choice_refuse (c->object, err);
  if (!c->function)
    return true;
  consider (j, c, choice, NULL);
  return choice->best != PATTERN_NOT || name_choice_refuse (choice, "function that ran", err);
}

static bool
open_filter (struct filter *f, const struct jumps *j, const struct jumps_choice *c,
             struct error *err)
{
  struct name_choice choice;
  *f = (struct filter) { .jumps = j };
  if (!c->function && !c->object)
    return true;
  name_choice_begin (&choice, c->function);
  bool ok = matches_some (j, c, &choice, err);
  if (ok)
    ok = (f->wanted = calloc (j->model->symtab.count + 1, sizeof *f->wanted))
         || error_no_memory (err);
  if (ok)
    consider (j, c, &choice, f->wanted);
  name_choice_free (&choice);
  return ok;
}

static uint64_t
count_between (const struct edges *e, uint64_t from, uint64_t to)
{
  const struct edge *edges;
  size_t n = edges_from (e, from, &edges);
  for (size_t i = 0; i < n; i++)
    if (edges[i].to == to)
      return edges[i].count;
  return 0;
}

static bool
add (struct jump_list *l, const struct jump *j)
{
  if (!array_grow (&l->jumps, l->count, &l->room, sizeof *l->jumps))
    return false;
  l->jumps[l->count++] = *j;
  return true;
}

/* Adds the edges from BLOCK: all of a branch, else the only one if it was taken. */
static bool
add_inside (struct jumps *j, const struct block *block)
{
  const struct map_block *m = block->map;
  const struct map_way *ways = j->blocks.map.ways + m->first_way;
  bool out = m->nways > 0 && (m->shape & BBP_BLOCK_OUT), branch = m->nways + out > 1;
  size_t before = j->inside.count;
  uint64_t decided = 0;
  for (size_t i = 0; i < m->nways + out; i++)
    {
      const struct block *to
          = i < m->nways ? blocks_at (&j->blocks, j->blocks.map.blocks[ways[i].to].start) : NULL;
      struct jump new = { .from = block,
                          .to = to,
                          .kind = !to                       ? JUMP_OUT
                                  : to->start == block->end ? JUMP_NEXT
                                                            : JUMP_FAR };
      new.count = count_between (&j->model->edges, block->start, to ? to->start : 0);
      decided += new.count;
      if ((branch || new.count > 0) && !add (&j->inside, &new))
        return false;
    }
  for (size_t i = before; branch && i < j->inside.count; i++)
    j->inside.jumps[i].decided = decided;
  return true;
}

static bool
collect_inside (struct jumps *j, const struct filter *f)
{
  for (size_t i = 0; i < j->blocks.count; i++)
    {
      const struct block *b = &j->blocks.blocks[i];
      if (b->count > 0 && b->map && wants (f, b) && !add_inside (j, b))
        return false;
    }
  return true;
}

static bool
is_way (const struct map *m, const struct block *from, const struct block *to)
{
  for (size_t i = 0; from && to && from->map && i < from->map->nways; i++)
    if (m->blocks[m->ways[from->map->first_way + i].to].start == to->start)
      return true;
  return false;
}

/* Is it the first block of a function? */
static bool
is_entry (const struct map *m, const struct block *b)
{
  return b && b->map && m->blocks[b->map->function].start == b->start;
}

static bool
collect_between (struct jumps *j, const struct filter *f)
{
  const struct map *m = &j->blocks.map;
  for (size_t i = 0; i < j->model->jumps.count; i++)
    {
      const struct edge *e = &j->model->jumps.by_from[i];
      const struct block *from = blocks_at (&j->blocks, e->from),
                         *to = blocks_at (&j->blocks, e->to);
      struct jump new = {
        .from = from, .to = to, .count = e->count, .kind = is_entry (m, to) ? JUMP_CALL : JUMP_BACK
      };
      if (!is_way (m, from, to) && (wants (f, from) || wants (f, to)) && !add (&j->between, &new))
        return false;
    }
  return true;
}

/* Is the block at ADDRESS in the loop? */
static bool
is_inside (const struct jumps *j, size_t loop, uint64_t address)
{
  const struct block *b = blocks_at (&j->blocks, address);
  return b && b->map && loops_contain (&j->loops, loop, (size_t) (b->map - j->blocks.map.blocks));
}

/* Each execution of the head either enters the loop or comes from inside.  It is an iteration,
   or the end of the last one if control leaves the loop at once. */
static struct jumps_loop
count_loop (const struct jumps *j, size_t number, const struct block *head)
{
  const struct loop *loop = &j->loops.loops[number];
  const struct edge *edges;
  uint64_t again = 0, left = 0;
  for (size_t n = edges_to (&j->model->edges, head->start, &edges); n > 0; n--, edges++)
    again += is_inside (j, number, edges->from) ? edges->count : 0;
  for (size_t n = edges_from (&j->model->edges, head->start, &edges); n > 0; n--, edges++)
    left += !loop->returns && edges->to && !is_inside (j, number, edges->to) ? edges->count : 0;
  const struct iteration_counts *per_entry = j->iterations ? &j->iterations[number] : NULL;
  return (struct jumps_loop) { .loop = loop,
                               .head = head,
                               .entered = head->count > again ? head->count - again : 0,
                               .iterations = head->count > left ? head->count - left : 0,
                               .per_entry = per_entry && per_entry->entered ? per_entry : NULL };
}

static bool
collect_loops (struct jumps *j, const struct filter *f)
{
  j->rows = calloc (j->loops.count + 1, sizeof *j->rows);
  for (size_t i = 0; j->rows && i < j->loops.count; i++)
    {
      const struct block *head
          = blocks_at (&j->blocks, j->blocks.map.blocks[j->loops.loops[i].head].start);
      if (head->count > 0 && wants (f, head))
        j->rows[j->nrows++] = count_loop (j, i, head);
    }
  return j->rows != NULL;
}

/* Order.  */

struct order {
  const struct map *map;
  enum jumps_sort sort;
};

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* By function, then by address. */
static int
compare_blocks (const struct map *m, const struct block *a, const struct block *b)
{
  if (!a || !b)
    return (a != NULL) - (b != NULL);
  uint64_t x = a->map ? m->blocks[a->map->function].start : a->start;
  uint64_t y = b->map ? m->blocks[b->map->function].start : b->start;
  return x != y ? compare_numbers (x, y) : compare_numbers (a->start, b->start);
}

static int
compare_jumps (const void *a, const void *b, void *context)
{
  const struct jump *x = a, *y = b;
  const struct order *order = context;
  double rx = jump_ratio (x), ry = jump_ratio (y);
  if (order->sort == JUMPS_BY_RATIO && rx != ry)
    return rx > ry ? -1 : 1;
  if (order->sort != JUMPS_BY_FUNCTION && x->count != y->count)
    return x->count > y->count ? -1 : 1;
  int from = compare_blocks (order->map, x->from, y->from);
  return from ? from : compare_blocks (order->map, x->to, y->to);
}

static int
compare_loops (const void *a, const void *b, void *context)
{
  const struct jumps_loop *x = a, *y = b;
  const struct order *order = context;
  double mx = loop_mean (x), my = loop_mean (y);
  if (order->sort == JUMPS_BY_RATIO && mx != my)
    return mx > my ? -1 : 1;
  if (order->sort != JUMPS_BY_FUNCTION && x->iterations != y->iterations)
    return x->iterations > y->iterations ? -1 : 1;
  return compare_blocks (order->map, x->head, y->head);
}

static bool
describe (struct jumps *j, const struct block *block)
{
  if (!block)
    return true;
  struct block_row *row = &j->described[block - j->blocks.blocks];
  if (row->block)
    return true;
  row->block = block;
  return block_row_describe (row, j->model);
}

static bool
describe_list (struct jumps *j, const struct jump_list *l)
{
  bool ok = true;
  for (size_t i = 0; ok && i < l->shown; i++)
    ok = describe (j, l->jumps[i].from) && describe (j, l->jumps[i].to);
  return ok;
}

static bool
sort (struct jumps *j, const struct jumps_choice *c)
{
  struct order order = { &j->blocks.map, c->sort };
  struct jump_list *lists[] = { &j->inside, &j->between };
  bool ok = array_sort (j->rows, j->nrows, sizeof *j->rows, compare_loops, &order);
  j->shown_rows = j->nrows < c->most ? j->nrows : c->most;
  for (size_t i = 0; ok && i < j->shown_rows; i++)
    ok = describe (j, j->rows[i].head);
  for (size_t i = 0; ok && i < 2; i++)
    {
      lists[i]->shown = lists[i]->count < c->most ? lists[i]->count : c->most;
      ok = array_sort (lists[i]->jumps, lists[i]->count, sizeof *lists[i]->jumps, compare_jumps,
                       &order)
           && describe_list (j, lists[i]);
    }
  return ok;
}

const char *
jumps_variant (unsigned n)
{
  static const char *const names[JUMPS_VARIANTS]
      = { "", "hidecall=1", "showret=1", "hidecall=1:showret=1" };
  return names[n];
}

bool
jumps_open (struct jumps *j, const struct model *m, struct error *err)
{
  j->model = m;
  return blocks_build (&j->blocks, &m->objects, &m->symtab, &m->profile, err)
         && (loops_find (&j->loops, &j->blocks.map) || error_no_memory (err));
}

bool
jumps_collect (struct jumps *j, const struct jumps_choice *c, struct error *err)
{
  struct filter f;
  if (!open_filter (&f, j, c, err))
    return false;
  j->described = calloc (j->blocks.count + 1, sizeof *j->described);
  bool ok = j->described && collect_inside (j, &f) && collect_between (j, &f)
            && collect_loops (j, &f) && sort (j, c);
  free (f.wanted);
  return ok || error_no_memory (err);
}

void
jumps_free (struct jumps *j)
{
  for (size_t i = 0; j->described && i < j->blocks.count; i++)
    free (j->described[i].function);
  free (j->described);
  free (j->inside.jumps);
  free (j->between.jumps);
  free (j->rows);
  free (j->iterations);
  loops_free (&j->loops);
  blocks_free (&j->blocks);
}
