/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collect/outside/outside_process.h"
#include "collect/outside/own_counts.h"
#include "common/array.h"
#include "model/files/bbx_write.h"
#include "model/sums/sum_items.h"

/* Reading. */

/* Its arcs may be those that its own stacks tell. */
static bool
has_estimated_calls (const struct bbx *x)
{
  for (size_t i = 0; i < x->stacks.nsamplings; i++)
    if (x->stacks.samplings[i].flags & BBX_SAMPLING_ARCS)
      return true;
  return false;
}

static bool
check_sidecar (const struct bbx *x, pid_t pid, const char *name, struct error *err)
{
  if (x->state != BBX_WHOLE || x->nprocesses != 1 || x->nobjects == 0)
    return error_set (err, name, ERROR_NO_OFFSET, "its sidecar (.bbx) cannot be used: %.160s",
                      x->why.text);
  if (x->processes[0].fixed.pid != (uint32_t) pid)
    return error_set (err, name, ERROR_NO_OFFSET, "it is of another process");
  return true;
}

bool
own_counts_read (struct own_counts *c, pid_t pid, const char *name, struct error *err)
{
  const struct gmon_shape shape = gmon_shape_unknown ();
  const struct gmon_moves none = { 0 };
  struct gmon_file f;
  memset (c, 0, sizeof *c);
  bool ok = gmon_open (&f, name, &shape, err);
  if (ok)
    {
      bbx_read (&c->sidecar, name, f.run, f.moment);
      ok = check_sidecar (&c->sidecar, pid, name, err)
           && gmon_read (&c->profile, &f, &shape, &none, err)
           && (profile_finish (&c->profile) || error_no_memory (err));
      c->exact_callers = f.exact_callers;
      c->run = f.run;
    }
  if (ok && has_estimated_calls (&c->sidecar))
    c->profile.ncalls = 0;
  gmon_close (&f);
  return ok;
}

void
own_counts_free (struct own_counts *c)
{
  profile_free (&c->profile);
  bbx_free (&c->sidecar);
  free (c->known);
}

/* Differences.  What was counted before is added with negative counts, modulo 2^64. */

static uint64_t
total (const struct profile *p)
{
  uint64_t n = 0;
  for (size_t i = 0; i < p->ncalls; i++)
    n += p->calls[i].count;
  for (size_t i = 0; i < p->nexecutions; i++)
    n += p->executions[i].count;
  return n;
}

/* A thread that runs while it is read may make the later count of a block lower by a few. */
static uint64_t
not_below_0 (uint64_t count)
{
  return (int64_t) count < 0 ? 0 : count;
}

static bool
subtract_profile (struct profile *p, const struct profile *before)
{
  bool ok = true;
  for (size_t i = 0; ok && i < before->ncalls; i++)
    ok = profile_add_call (p, before->calls[i].from, before->calls[i].self,
                           -before->calls[i].count);
  for (size_t i = 0; ok && i < before->nexecutions; i++)
    ok = profile_add_execution (p, before->executions[i].address, -before->executions[i].count);
  if (!ok || !profile_finish (p))
    return false;
  const size_t ncalls = p->ncalls;
  p->ncalls = 0;
  for (size_t i = 0; i < ncalls; i++)
    if ((p->calls[i].count = not_below_0 (p->calls[i].count)) > 0)
      p->calls[p->ncalls++] = p->calls[i];
  for (size_t i = 0; i < p->nexecutions; i++)
    p->executions[i].count = not_below_0 (p->executions[i].count);
  return true;
}

static bool
subtract_edges (struct edge **list, size_t *n, const struct edge *before, size_t nbefore)
{
  struct bag bag = sum_edges;
  bool ok = true;
  for (size_t i = 0; ok && i < *n; i++)
    ok = bag_add (&bag, &(*list)[i]);
  for (size_t i = 0; ok && i < nbefore; i++)
    ok = bag_add (&bag, &(struct edge) { before[i].from, before[i].to, -before[i].count });
  if (!ok || !bag_unite (&bag))
    {
      free (bag.items);
      return false;
    }
  free (*list);
  *list = bag.items;
  *n = 0;
  for (size_t i = 0; i < bag.count; i++)
    if (((*list)[i].count = not_below_0 ((*list)[i].count)) > 0)
      (*list)[(*n)++] = (*list)[i];
  return true;
}

static bool
is_same_unit (const struct bbx_run_unit *a, const struct bbx_run_unit *b)
{
  return a->counters == b->counters && a->nblocks == b->nblocks && strcmp (a->name, b->name) == 0;
}

static void
subtract_units (struct bbx *x, const struct bbx *before)
{
  for (size_t i = 0; i < x->nunits; i++)
    for (size_t k = 0; k < before->nunits; k++)
      if (is_same_unit (&x->units[i], &before->units[k]))
        for (size_t b = 0; b < x->units[i].nblocks; b++)
          {
            struct bbx_unit_block *block = &x->units[i].blocks[b];
            block->count = not_below_0 (block->count - before->units[k].blocks[b].count);
          }
}

bool
own_counts_subtract (struct own_counts *c, const struct own_counts *before)
{
  struct bbx *x = &c->sidecar;
  const struct bbx *y = &before->sidecar;
  if (c->run != before->run || total (&c->profile) < total (&before->profile))
    return true;
  bool ok = subtract_profile (&c->profile, &before->profile)
            && subtract_edges (&x->edges, &x->nedges, y->edges, y->nedges);
  for (int i = 0; ok && i < BBX_JUMPS_VARIANTS; i++)
    ok = subtract_edges (&x->jumps[i].list, &x->jumps[i].count, y->jumps[i].list,
                         y->jumps[i].count);
  subtract_units (x, y);
  return ok;
}

/* Objects. */

static bool
is_same (const struct bbx_run_object *object, const struct object_file *file)
{
  return object->build_id.size > 0 ? build_id_equal (&object->build_id, &file->build_id)
                                   : strcmp (object->path, file->path) == 0;
}

static const struct process_object *
find_object (const struct process *p, const struct bbx_run_object *object)
{
  for (size_t i = 1; i < p->nobjects; i++)
    if (is_same (object, p->objects[i].file))
      return &p->objects[i];
  return NULL;
}

static uint64_t
end_of_objects (const struct process *p)
{
  const struct process_object *last = &p->objects[p->nobjects - 1];
  return last->base + last->file->end;
}

/* Gives each object of the sidecar the base that P has for it; one that P has not met gets a place
   above all others.  MOVES: from the bases before. */
static bool
place_objects (struct own_counts *c, const struct process *p, struct gmon_moves *moves)
{
  struct bbx *x = &c->sidecar;
  uint64_t top = end_of_objects (p);
  moves->moves = calloc (x->nobjects + 1, sizeof *moves->moves);
  c->known = calloc (x->nobjects + 1, sizeof *c->known);
  if (!moves->moves || !c->known)
    return false;
  c->known[0] = true;
  for (size_t i = 1; i < x->nobjects; i++)
    {
      struct bbx_object *f = &x->objects[i].fixed;
      const struct process_object *o = find_object (p, &x->objects[i]);
      const uint64_t before = f->base;
      f->base = o ? o->base : (top + BBX_BASE_UNIT - 1) & -BBX_BASE_UNIT;
      top = o ? top : f->base + f->end;
      c->known[i] = o;
      moves->moves[moves->count++] = (struct gmon_move) { .start = before + f->start,
                                                          .end = before + f->end,
                                                          .distance = f->base - before };
    }
  return true;
}

const struct bbx_run_object *
own_counts_object (const struct own_counts *c, uint64_t base)
{
  for (size_t i = 0; i < c->sidecar.nobjects; i++)
    if (c->known[i] && c->sidecar.objects[i].fixed.base == base)
      return &c->sidecar.objects[i];
  return NULL;
}

/* Addresses. */

static void
move_edges (struct edge *list, size_t n, const struct gmon_moves *moves)
{
  for (size_t i = 0; i < n; i++)
    {
      list[i].from = gmon_moved (moves, list[i].from);
      list[i].to = gmon_moved (moves, list[i].to);
    }
}

static void
move_lists (struct bbx *x, const struct gmon_moves *moves)
{
  move_edges (x->edges, x->nedges, moves);
  for (int i = 0; i < BBX_JUMPS_VARIANTS; i++)
    move_edges (x->jumps[i].list, x->jumps[i].count, moves);
  for (size_t i = 0; i < x->nwords; i++)
    sum_word_move (&x->words[i], moves);
  for (size_t i = 0; i < x->nblocks; i++)
    sum_block_move (&x->blocks[i], moves);
  for (size_t i = 0; i < x->nunits; i++)
    sum_unit_move (&x->units[i], moves);
}

static void
move_profile (struct profile *p, const struct gmon_moves *moves)
{
  for (size_t i = 0; i < p->ncalls; i++)
    {
      p->calls[i].from = gmon_moved (moves, p->calls[i].from);
      p->calls[i].self = gmon_moved (moves, p->calls[i].self);
    }
  for (size_t i = 0; i < p->nexecutions; i++)
    p->executions[i].address = gmon_moved (moves, p->executions[i].address);
}

bool
own_counts_place (struct own_counts *c, const struct process *p, struct error *err)
{
  struct gmon_moves moves = { 0 };
  if (!is_same (&c->sidecar.objects[0], p->objects[0].file))
    return error_set (err, NULL, ERROR_NO_OFFSET, "they are of another program");
  const bool ok = place_objects (c, p, &moves)
                  && array_sort_by_number (moves.moves, moves.count, sizeof *moves.moves,
                                           offsetof (struct gmon_move, start));
  if (ok)
    {
      move_profile (&c->profile, &moves);
      move_lists (&c->sidecar, &moves);
    }
  free (moves.moves);
  return ok || error_no_memory (err);
}

/* Writing. */

bool
own_counts_write_lists (const struct own_counts *c, struct output *out)
{
  const struct bbx *x = &c->sidecar;
  bool ok = x->nedges == 0 || bbx_write_edges (out, x->edges, x->nedges);
  for (uint32_t i = 0; ok && i < BBX_JUMPS_VARIANTS; i++)
    if (x->jumps_variants & 1U << i)
      ok = bbx_write_jumps (out, i, x->jumps[i].list, x->jumps[i].count);
  for (size_t i = 0; ok && i < x->nwords; i++)
    ok = bbx_write_word (out, &x->words[i]);
  for (size_t i = 0; ok && i < x->nunits; i++)
    ok = bbx_write_unit (out, &x->units[i]);
  for (size_t i = 0; ok && i < x->nblocks; i++)
    ok = bbx_write_block (out, &x->blocks[i]);
  return ok;
}
