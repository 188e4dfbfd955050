/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model.  Samples inside the hooks are not in the profile; time in the counters is.  So a
   function's self time without instrumentation is that of its samples less the cost of its
   counters.  For a function with too few samples, time is estimated from the bytes of executed
   code, with the time per byte of functions with a known time. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/elf/demangle.h"
#include "tools/arguments/object_choice.h"
#include "tools/score/score.h"

enum {
  ENOUGH_SAMPLES = 20,
  COUNTER_BYTES = 8, /* approximate size of a counter's code in bytes */
  /* Functions below this share of the whole time do not matter. */
  MATTERS_PER_MILLE = 1
};
/* Self time is at least this part of the sampled time. */
static const double least_part = 0.1;
/* If no time is known: 0.4 ns for an instruction of four bytes. */
static const double nanoseconds_byte = 0.1;

/* Length of the function's name in NAME: GCC's copies and parts are called NAME.part.0,
   NAME.cold. */
static size_t
plain_length (const char *name)
{
  size_t length = strcspn (name, ".");
  return length ? length : strlen (name);
}

/* Executions of BLOCK's edges that have counters: as in the sidecars, or the upper bound. */
static uint64_t
count_edges (const struct score *s, const struct map *map, const struct block *block)
{
  const struct edge *edges;
  uint64_t sum = 0;
  bool counted = false;
  size_t n = edges_from (&s->model->edges, block->start, &edges);
  for (size_t w = 0; w < block->map->nways; w++)
    {
      const struct map_way *way = &map->ways[block->map->first_way + w];
      if (!way->counted)
        continue;
      counted = true;
      for (size_t i = 0; i < n; i++)
        if (edges[i].to == map->blocks[way->to].start)
          sum += edges[i].count;
    }
  return n == 0 && counted ? block->count : sum;
}

/* Adds BLOCK, which ran, to its function. */
static void
add_block (struct score_function *f, const struct score *s, const struct map *map,
           const struct block *block)
{
  f->bytes += block->count * (block->end - block->start);
  if (block->start == block->symbol->address)
    f->entries += block->count;
  if (!block->map)
    {
      f->counters += block->count;
      return;
    }
  f->counters += block->count * block->map->counters + count_edges (s, map, block);
  f->calls += block->count * block->map->hooks;
  f->arcs |= block->map->arcs;
}

static bool
is_in_object (const struct object *o, const char *pattern)
{
  return !pattern || (o && object_choice_is (pattern, object_name (o), o->path));
}

/* Adds the facts about symbols. functions[i] is symbol i, and has no name if none of its blocks
   ran. */
static bool
collect (struct score *s, const struct blocks *b, const struct callgraph *g)
{
  const struct symbol *first = s->model->symtab.symbols;
  for (size_t i = 0; i < b->count; i++)
    {
      const struct block *block = &b->blocks[i];
      if (!block->symbol || block->count == 0)
        continue;
      struct score_function *f = &s->functions[block->symbol - first];
      const char *name = block->symbol->name;
      if (!f->symbol && !(f->symbol = strndup (name, plain_length (name))))
        return false;
      f->in_object |= is_in_object (block->object, s->object);
      add_block (f, s, &b->map, block);
    }
  for (uint32_t i = 0; i < g->nsymbols; i++)
    {
      struct score_function *f = &s->functions[i];
      f->samples = g->nodes[i].time;
      if (f->arcs)
        continue;
      f->calls += g->nodes[i].calls + g->nodes[i].self_calls + g->nodes[i].outside_calls;
      if (f->calls > 0)
        f->entries = 0; /* the hook checks its thread */
    }
  return true;
}

static int
compare_names (const void *a, const void *b, void *context)
{
  const struct score_function *x = a, *y = b;
  (void) context;
  if (!x->symbol || !y->symbol)
    return (x->symbol == NULL) - (y->symbol == NULL);
  return strcmp (x->symbol, y->symbol);
}

static void
add (struct score_function *to, const struct score_function *f)
{
  to->counters += f->counters;
  to->calls += f->calls;
  to->entries += f->entries;
  to->bytes += f->bytes;
  to->samples += f->samples;
  to->in_object |= f->in_object;
}

/* Merges functions of the same name. */
static bool
merge (struct score *s)
{
  if (!array_sort (s->functions, s->room, sizeof *s->functions, compare_names, NULL))
    return false;
  for (size_t i = 0; i < s->room && s->functions[i].symbol; i++)
    if (s->count > 0 && strcmp (s->functions[s->count - 1].symbol, s->functions[i].symbol) == 0)
      {
        add (&s->functions[s->count - 1], &s->functions[i]);
        free (s->functions[i].symbol);
        s->functions[i].symbol = NULL;
      }
    else
      {
        struct score_function f = s->functions[i];
        s->functions[i].symbol = NULL;
        s->functions[s->count++] = f;
      }
  return true;
}

/* Its code without the counters. */
static double
plain_bytes (const struct score_function *f)
{
  double counters = (double) f->counters;
  double bytes = (double) f->bytes - COUNTER_BYTES * counters;
  return bytes > counters ? bytes : counters;
}

/* Nanoseconds per sample; 0: no time, or no samples. */
static double
sample_length (const struct profile *p, double samples)
{
  return samples > 0 && p->letter == 's' && p->rate > 0 ? 1e9 / p->rate : 0;
}

/* Computes costs, and the times that samples show; sums up these times and the bytes that took
   them. */
static void
use_samples (struct score *s, double length, double *time, double *bytes)
{
  *time = *bytes = 0;
  for (size_t i = 0; i < s->count; i++)
    {
      struct score_function *f = &s->functions[i];
      double counters = (double) f->counters * s->costs.counter;
      double sampled = f->samples * length;
      f->cost = counters + (double) f->calls * s->costs.call + (double) f->entries * s->costs.entry;
      f->estimated = f->samples < ENOUGH_SAMPLES || length == 0;
      f->time = sampled - counters > least_part * sampled ? sampled - counters
                                                          : least_part * sampled;
      s->time -= sampled - f->time;
      s->cost += f->cost;
      if (!f->estimated)
        {
          *time += f->time;
          *bytes += plain_bytes (f);
        }
    }
}

static void
find_times (struct score *s, double samples)
{
  double length = sample_length (&s->model->profile, samples), time, bytes;
  s->time = samples * length;
  use_samples (s, length, &time, &bytes);
  double byte = bytes > 0 ? time / bytes : nanoseconds_byte;
  for (size_t i = 0; i < s->count; i++)
    if (s->functions[i].estimated)
      {
        s->functions[i].time = byte * plain_bytes (&s->functions[i]);
        if (length == 0)
          s->time += s->functions[i].time;
      }
}

static const char *
display_name (const struct score_function *f)
{
  return f->name ? f->name : f->symbol;
}

/* The number by which functions are sorted. */
static double
key_of (const struct score_function *f, enum score_sort sort)
{
  switch (sort)
    {
    case SCORE_BY_RATIO: return score_percent (f->cost, f->time);
    case SCORE_BY_SELF: return f->time;
    case SCORE_BY_COUNTERS: return (double) f->counters;
    case SCORE_BY_CALLS: return (double) f->calls;
    case SCORE_BY_COST:
    case SCORE_BY_NAME: break;
    }
  return f->cost;
}

static int
compare_functions (const void *a, const void *b, void *context)
{
  const enum score_sort *sort = context;
  const struct score_function *x = a, *y = b;
  int names = *sort == SCORE_BY_NAME ? strcmp (display_name (x), display_name (y)) : 0;
  double first = key_of (x, *sort), second = key_of (y, *sort);
  if (names != 0)
    return names;
  if (first != second)
    return first > second ? -1 : 1;
  if (x->cost != y->cost)
    return x->cost > y->cost ? -1 : 1;
  return strcmp (x->symbol, y->symbol);
}

bool
score_build (struct score *s, const struct blocks *b, const struct callgraph *g)
{
  s->functions = calloc ((size_t) g->nsymbols + 1, sizeof *s->functions);
  if (!s->functions)
    return false;
  s->room = g->nsymbols;
  if (!collect (s, b, g) || !merge (s))
    return false;
  find_times (s, g->samples);
  s->kept_cost = s->cost;
  for (size_t i = 0; i < s->count; i++)
    s->functions[i].name = demangle_name (model_program (s->model), s->functions[i].symbol);
  return array_sort (s->functions, s->count, sizeof *s->functions, compare_functions, &s->sort);
}

void
score_exclude (struct score *s, double limit)
{
  s->has_limit = true;
  s->limit = limit;
  for (size_t i = 0; i < s->count; i++)
    {
      struct score_function *f = &s->functions[i];
      f->excluded = score_percent (f->cost, f->time) > limit
                    && 1000 * f->cost >= MATTERS_PER_MILLE * s->time;
      if (f->excluded)
        {
          s->nexcluded++;
          s->kept_cost -= f->cost;
        }
    }
}

void
score_free (struct score *s)
{
  for (size_t i = 0; i < s->room; i++)
    {
      free (s->functions[i].symbol);
      free (s->functions[i].name);
    }
  free (s->functions);
}
