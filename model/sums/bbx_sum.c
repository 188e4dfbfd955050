/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/array.h"
#include "model/files/bbx_write.h"
#include "model/sums/bbx_sum.h"
#include "model/sums/sum_items.h"

/* An object of some process. */
struct sum_object {
  struct bbx_run_object object;
  char *key;  /* equal for the same object of another process */
  bool taken; /* by bbx_sum_take, from some process */
  UT_hash_handle hh;
};

void
bbx_sum_init (struct bbx_sum *s)
{
  memset (s, 0, sizeof *s);
  s->processes = sum_processes;
  s->edges = sum_edges;
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    s->open[i] = sum_edges;
  for (int i = 0; i < BBX_JUMPS_VARIANTS; i++)
    s->jumps[i] = sum_edges;
  s->words = sum_words;
  s->blocks = sum_blocks;
  s->units = sum_units;
  s->losses = sum_losses;
  s->machines = sum_machines;
  sum_stacks_init (&s->stacks);
}

static void
free_object (struct sum_object *o)
{
  if (!o)
    return;
  free (o->object.path);
  free (o->object.image);
  free (o->key);
  free (o);
}

void
bbx_sum_free (struct bbx_sum *s)
{
  bbx_sum_forget (s, 0);
  free_object (s->executable);
  sum_processes_free (&s->processes);
  sum_words_free (&s->words);
  sum_blocks_free (&s->blocks);
  sum_units_free (&s->units);
  free (s->edges.items);
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    free (s->open[i].items);
  for (int i = 0; i < BBX_JUMPS_VARIANTS; i++)
    free (s->jumps[i].items);
  free (s->losses.items);
  free (s->machines.items);
  sum_stacks_free (&s->stacks);
  sum_ranks_free (&s->ranks);
  memset (s, 0, sizeof *s);
}

/* Objects. */

/* The build id identifies a build; without one, path and size must. */
static char *
make_key (const struct bbx_run_object *o)
{
  char id[BUILD_ID_TEXT], *key;
  const struct bbx_object *f = &o->fixed;
  int n = o->build_id.size > 0 ? asprintf (&key, "%s", build_id_text (&o->build_id, id))
                               : asprintf (&key, "%s %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64,
                                           o->path, f->start, f->end, f->text_start, f->text_end);
  return n < 0 ? NULL : key;
}

/* A copy of NEW, which is not taken yet; null: out of memory. */
static struct sum_object *
make_object (const struct bbx_run_object *new)
{
  struct sum_object *o = calloc (1, sizeof *o);
  if (!o)
    return NULL;
  o->object = *new;
  o->object.image = NULL;
  o->object.path = strdup (new->path);
  o->key = make_key (new);
  if (o->object.path && o->key)
    return o;
  free_object (o);
  return NULL;
}

static uint64_t
round_up (uint64_t address)
{
  return (address + BBX_BASE_UNIT - 1) / BBX_BASE_UNIT * BBX_BASE_UNIT;
}

/* Places O above all others. */
static void
choose_place (struct bbx_sum *s, struct sum_object *o)
{
  o->object.fixed.base = s->top;
  s->top += round_up (o->object.fixed.end);
}

static struct sum_object *
find_other (const struct bbx_sum *s, const struct bbx_run_object *object)
{
  struct sum_object *found = NULL;
  char *key = make_key (object);
  if (key)
    HASH_FIND_STR (s->others, key, found);
  free (key);
  return found;
}

/* The object of the sum for OBJECT; null: out of memory. */
static struct sum_object *
place_object (struct bbx_sum *s, const struct bbx_run_object *object)
{
  struct sum_object *o = find_other (s, object);
  if (o || !(o = make_object (object)))
    return o;
  choose_place (s, o);
  HASH_ADD_KEYPTR (hh, s->others, o->key, strlen (o->key), o);
  s->nothers++;
  return o;
}

const struct bbx_run_object *
bbx_sum_executable (const struct bbx_sum *s)
{
  return s->executable ? &s->executable->object : NULL;
}

static bool
is_same_build (const struct bbx_run_object *x, const struct bbx_run_object *y)
{
  const struct bbx_object *a = &x->fixed, *b = &y->fixed;
  return build_id_equal (&x->build_id, &y->build_id)
         && (x->build_id.size > 0
             || (a->start == b->start && a->end == b->end && a->text_start == b->text_start
                 && a->text_end == b->text_end));
}

bool
bbx_sum_is_other_build (const struct bbx_sum *s, const struct bbx *x)
{
  return s->executable && x->nobjects > 0
         && !is_same_build (&x->objects[0], &s->executable->object);
}

static bool
set_executable (struct bbx_sum *s, const struct bbx_run_object *object, const char *profile)
{
  s->first = profile;
  s->executable = make_object (object);
  s->top = round_up (object->fixed.end);
  return s->executable;
}

bool
bbx_sum_choose (struct bbx_sum *s, const struct bbx *x, const char *profile)
{
  s->is_chosen = set_executable (s, &x->objects[0], profile);
  return s->is_chosen;
}

static bool
check_executable (struct bbx_sum *s, const struct bbx_run_object *object, const char *profile,
                  struct error *err)
{
  if (!s->executable && !set_executable (s, object, profile))
    return error_no_memory (err);
  const struct bbx_run_object *should = &s->executable->object;
  char ran[BUILD_ID_TEXT], other[BUILD_ID_TEXT];
  if (is_same_build (object, should))
    return true;
  return error_set (
      err, profile, ERROR_NO_OFFSET,
      "of another build of the program than %.60s, or of another program (build %.*s, there %.*s)",
      s->first, BUILD_ID_SHORT,
      object->build_id.size ? build_id_text (&object->build_id, ran) : "none", BUILD_ID_SHORT,
      should->build_id.size ? build_id_text (&should->build_id, other) : "none");
}

static int
compare_moves (const void *a, const void *b, void *context)
{
  const struct gmon_move *x = a, *y = b;
  (void) context;
  return x->start < y->start ? -1 : x->start > y->start;
}

bool
bbx_sum_place (struct bbx_sum *s, const struct bbx *x, const char *profile,
               struct gmon_moves *moves, struct error *err)
{
  if (x->nobjects > 0 && !check_executable (s, &x->objects[0], profile, err))
    return false;
  if (!sum_stacks_fits (&s->stacks, &x->stacks))
    return error_set (err, profile, ERROR_NO_OFFSET,
                      "samples of CPU time and of wall time do not add up");
  moves->moves = malloc ((x->nobjects + 1) * sizeof *moves->moves);
  if (!moves->moves)
    return error_no_memory (err);
  for (size_t i = 1; i < x->nobjects; i++)
    {
      const struct bbx_object *f = &x->objects[i].fixed;
      const struct sum_object *o = place_object (s, &x->objects[i]);
      if (!o)
        return error_no_memory (err);
      moves->moves[moves->count++]
          = (struct gmon_move) { .start = f->base + f->start,
                                 .end = f->base + f->end,
                                 .distance = o->object.fixed.base - f->base };
    }
  return array_sort (moves->moves, moves->count, sizeof *moves->moves, compare_moves, NULL)
         || error_no_memory (err);
}

void
bbx_sum_forget (struct bbx_sum *s, size_t kept)
{
  struct sum_object *o, *next;
  size_t i = 0;
  HASH_ITER (hh, s->others, o, next)
  if (i++ >= kept)
    {
      if (o->object.fixed.base < s->top)
        s->top = o->object.fixed.base;
      HASH_DEL (s->others, o);
      free_object (o);
      s->nothers--;
    }
  if (s->executable && !s->executable->taken && !s->is_chosen)
    {
      free_object (s->executable);
      s->executable = NULL;
    }
}

/* Takes a process's description of the object O, with its image, which is the same in each process.
   Of several paths the alphabetically first one stays. */
static void
take_object (struct sum_object *o, struct bbx_run_object *new)
{
  struct bbx_object *k = &o->object.fixed;
  const struct bbx_object *n = &new->fixed;
  if (!o->taken)
    {
      k->bias = n->bias;
      k->flags = n->flags;
      k->loads = n->loads;
    }
  else
    {
      k->bias = k->bias == n->bias ? k->bias : 0;
      k->flags = ((k->flags | n->flags) & ~BBX_OBJECT_UNLOADED)
                 | (k->flags & n->flags & BBX_OBJECT_UNLOADED);
      k->loads = n->loads < UINT32_MAX - k->loads ? k->loads + n->loads : UINT32_MAX;
    }
  o->taken = true;
  if (!o->object.image)
    {
      o->object.image = new->image;
      o->object.image_bytes = new->image_bytes;
      new->image = NULL;
    }
  if (strcmp (new->path, o->object.path) < 0)
    {
      char *path = o->object.path;
      o->object.path = new->path;
      new->path = path;
    }
}

/* Contents. */

/* The sum of two run ids is never 0; the carry is added at the low end. */
static uint64_t
add_runs (uint64_t a, uint64_t b)
{
  uint64_t sum = a + b;
  return sum + (sum < a);
}

static bool
take_edges (struct bag *bag, const struct edge *list, size_t n, const struct gmon_moves *moves)
{
  for (size_t i = 0; i < n; i++)
    {
      struct edge e
          = { gmon_moved (moves, list[i].from), gmon_moved (moves, list[i].to), list[i].count };
      if (!bag_add (bag, &e))
        return false;
    }
  return true;
}

/* Items of a list are taken one by one from its end, so that each has one owner at any time. */

static bool
take_processes (struct bbx_sum *s, struct bbx *x)
{
  for (; x->nprocesses > 0; x->nprocesses--)
    if (!bag_add (&s->processes, &x->processes[x->nprocesses - 1]))
      return false;
  return true;
}

static bool
take_words (struct bbx_sum *s, struct bbx *x, const struct gmon_moves *moves)
{
  for (; x->nwords > 0; x->nwords--)
    {
      struct bbx_run_word *word = &x->words[x->nwords - 1];
      sum_word_move (word, moves);
      if (!bag_add (&s->words, word))
        return false;
    }
  return true;
}

static bool
take_blocks (struct bbx_sum *s, struct bbx *x, const struct gmon_moves *moves)
{
  for (; x->nblocks > 0; x->nblocks--)
    {
      struct bbx_run_block *block = &x->blocks[x->nblocks - 1];
      sum_block_move (block, moves);
      if (!bag_add (&s->blocks, block))
        return false;
    }
  return true;
}

static bool
take_units (struct bbx_sum *s, struct bbx *x, const struct gmon_moves *moves)
{
  for (; x->nunits > 0; x->nunits--)
    {
      struct bbx_run_unit *unit = &x->units[x->nunits - 1];
      sum_unit_move (unit, moves);
      if (!bag_add (&s->units, unit))
        return false;
    }
  return true;
}

static bool
take_losses (struct bbx_sum *s, const struct bbx *x)
{
  s->lacks |= !x->has_losses;
  for (size_t i = 0; i < x->nlosses; i++)
    if (strcmp (x->losses[i].cause, BBX_LOST_UNKNOWN) == 0)
      s->lacks = true;
    else if (!bag_add (&s->losses, &x->losses[i]))
      return false;
  return true;
}

static bool
take_machines (struct bbx_sum *s, const struct bbx *x)
{
  for (size_t i = 0; i < x->nmachines; i++)
    if (!bag_add (&s->machines, &x->machines[i]))
      return false;
  return true;
}

bool
bbx_sum_take (struct bbx_sum *s, struct bbx *x, uint64_t run, const struct gmon_moves *moves)
{
  s->run = add_runs (s->run, run);
  s->jumps_variants |= x->jumps_variants;
  s->time.ticks += x->time.ticks;
  s->time.due += x->time.due;
  if (x->nobjects > 0)
    take_object (s->executable, &x->objects[0]);
  for (size_t i = 1; i < x->nobjects; i++)
    {
      struct sum_object *o = find_other (s, &x->objects[i]);
      if (!o)
        return false;
      take_object (o, &x->objects[i]);
    }
  for (int i = 0; i < BBX_JUMPS_VARIANTS; i++)
    if (!take_edges (&s->jumps[i], x->jumps[i].list, x->jumps[i].count, moves))
      return false;
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    if (!take_edges (&s->open[i], x->open[i].list, x->open[i].count, moves))
      return false;
  return take_edges (&s->edges, x->edges, x->nedges, moves) && take_processes (s, x)
         && take_words (s, x, moves) && take_blocks (s, x, moves) && take_units (s, x, moves)
         && take_losses (s, x) && take_machines (s, x)
         && sum_stacks_add (&s->stacks, &x->stacks, moves);
}

/* The end. */

static int
compare_keys (const struct sum_object *a, const struct sum_object *b)
{
  return strcmp (a->key, b->key);
}

/* Gives the objects their bases in the sum, in the order of their keys.  MOVES: from the bases that
   the profiles gave them. */
static bool
choose_bases (struct bbx_sum *s, struct gmon_moves *moves)
{
  moves->moves = malloc ((s->nothers + 1) * sizeof *moves->moves);
  if (!moves->moves)
    return false;
  HASH_SORT (s->others, compare_keys);
  if (s->executable)
    s->top = round_up (s->executable->object.fixed.end);
  for (struct sum_object *o = s->others; o; o = o->hh.next)
    {
      const struct bbx_object *f = &o->object.fixed;
      uint64_t before = f->base;
      choose_place (s, o);
      moves->moves[moves->count++] = (struct gmon_move) { .start = before + f->start,
                                                          .end = before + f->end,
                                                          .distance = f->base - before };
    }
  return array_sort (moves->moves, moves->count, sizeof *moves->moves, compare_moves, NULL);
}

static bool
move_edges (struct bag *bag, const struct gmon_moves *moves)
{
  struct edge *list = bag->items;
  for (size_t i = 0; i < bag->count; i++)
    {
      list[i].from = gmon_moved (moves, list[i].from);
      list[i].to = gmon_moved (moves, list[i].to);
    }
  bag_disorder (bag);
  return bag_unite (bag);
}

static bool
move_items (struct bbx_sum *s, const struct gmon_moves *moves)
{
  struct bbx_run_word *words = s->words.items;
  struct bbx_run_block *blocks = s->blocks.items;
  struct bbx_run_unit *units = s->units.items;
  for (size_t i = 0; i < s->words.count; i++)
    sum_word_move (&words[i], moves);
  for (size_t i = 0; i < s->blocks.count; i++)
    sum_block_move (&blocks[i], moves);
  for (size_t i = 0; i < s->units.count; i++)
    sum_unit_move (&units[i], moves);
  bag_disorder (&s->words);
  bag_disorder (&s->blocks);
  bag_disorder (&s->units);
  return bag_unite (&s->words) && bag_unite (&s->blocks) && bag_unite (&s->units);
}

bool
bbx_sum_finish (struct bbx_sum *s, struct gmon_moves *moves)
{
  struct bbx_loss unknown = { .count = 1, .cause = BBX_LOST_UNKNOWN };
  if (!choose_bases (s, moves) || (s->lacks && !bag_add (&s->losses, &unknown)))
    return false;
  for (int i = 0; i < BBX_JUMPS_VARIANTS; i++)
    if (!move_edges (&s->jumps[i], moves))
      return false;
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    if (!move_edges (&s->open[i], moves))
      return false;
  return move_edges (&s->edges, moves) && move_items (s, moves) && bag_unite (&s->processes)
         && bag_unite (&s->losses) && bag_unite (&s->machines)
         && sum_stacks_finish (&s->stacks, moves) && sum_ranks_finish (&s->ranks, moves);
}

bool
bbx_sum_base (const struct bbx_sum *s, const struct bbx_run_object *object, uint64_t *base)
{
  const struct sum_object *o = find_other (s, object);
  *base = o ? o->object.fixed.base : 0;
  return o != NULL;
}

/* In the file. */

static bool
write_objects (const struct bbx_sum *s, struct output *o)
{
  if (s->executable && !bbx_write_object (o, &s->executable->object))
    return false;
  for (const struct sum_object *x = s->others; x; x = x->hh.next)
    if (!bbx_write_object (o, &x->object))
      return false;
  return true;
}

static bool
write_lists (const struct bbx_sum *s, struct output *o)
{
  if (s->edges.count > 0 && !bbx_write_edges (o, s->edges.items, s->edges.count))
    return false;
  for (uint32_t i = 0; i < BBX_OPEN_LISTS; i++)
    if (s->open[i].count > 0 && !bbx_write_open (o, i, s->open[i].items, s->open[i].count))
      return false;
  for (uint32_t i = 0; i < BBX_JUMPS_VARIANTS; i++)
    if (s->jumps_variants & 1U << i
        && !bbx_write_jumps (o, i, s->jumps[i].items, s->jumps[i].count))
      return false;
  return true;
}

static bool
write_items (const struct bbx_sum *s, struct output *o)
{
  const struct bbx_run_word *words = s->words.items;
  const struct bbx_run_block *blocks = s->blocks.items;
  const struct bbx_run_unit *units = s->units.items;
  bool ok = true;
  for (size_t i = 0; ok && i < s->words.count; i++)
    ok = bbx_write_word (o, &words[i]);
  for (size_t i = 0; ok && i < s->units.count; i++)
    ok = bbx_write_unit (o, &units[i]);
  for (size_t i = 0; ok && i < s->blocks.count; i++)
    ok = bbx_write_block (o, &blocks[i]);
  return ok;
}

bool
bbx_sum_write (const struct bbx_sum *s, struct output *o)
{
  const struct bbx_process *processes = s->processes.items;
  bbx_write_header (o, s->run);
  for (size_t i = 0; i < s->processes.count; i++)
    if (!bbx_write_run (o, &processes[i]))
      return false;
  for (size_t i = 0; i < s->machines.count; i++)
    if (!bbx_write_machine (o, (const struct bbx_machine *) s->machines.items + i))
      return false;
  return write_objects (s, o) && write_lists (s, o) && write_items (s, o)
         && bbx_write_time (o, &s->time) && sum_stacks_write (&s->stacks, o)
         && sum_ranks_write (&s->ranks, o) && bbx_write_losses (o, s->losses.items, s->losses.count)
         && bbx_write_end (o);
}
