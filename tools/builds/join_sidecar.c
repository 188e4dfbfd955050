/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves all that a profile has to another build of its program: the sidecar. */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/languages/frame_addresses.h"
#include "tools/builds/join_sidecar.h"

/* Moves the ends of E; *LOST: one is in a block that is left out. */
static bool
move_edge (struct joining *g, struct edge *e, bool *lost)
{
  struct join_place from, to;
  if (!joining_find (g, e->from, false, &from) || !joining_find (g, e->to, false, &to))
    return false;
  *lost = from.kind == JOIN_START || to.kind == JOIN_START;
  e->from = from.address;
  e->to = to.address;
  return true;
}

/* A call from a return address, of which a start is enough. */
static bool
move_call (struct joining *g, struct edge *e)
{
  struct join_place from, to;
  if (!joining_find (g, e->from, true, &from) || !joining_find (g, e->to, false, &to))
    return false;
  e->from = from.address;
  e->to = to.address;
  return true;
}

/* Moves a list of edges; with CALLS, one of calls, and of blocks, whose two ends are equal. */
static bool
move_edges (struct joining *g, struct edge *list, size_t *n, bool calls)
{
  size_t kept = 0;
  for (size_t i = 0; i < *n; i++)
    {
      struct edge e = list[i];
      bool lost = false;
      if (!(calls && e.from != e.to ? move_call (g, &e) : move_edge (g, &e, &lost)))
        return false;
      if (!lost)
        list[kept++] = e;
    }
  *n = kept;
  return true;
}

static bool
move_lists (struct joining *g, struct bbx *x)
{
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    if (!move_edges (g, x->open[i].list, &x->open[i].count,
                     i == BBX_OPEN_MORE || i == BBX_OPEN_FEWER))
      return false;
  for (int i = 0; i < BBX_JUMPS_VARIANTS; i++)
    if (!move_edges (g, x->jumps[i].list, &x->jumps[i].count, false))
      return false;
  return move_edges (g, x->edges, &x->nedges, false);
}

static bool
move_words (struct joining *g, struct bbx *x)
{
  for (size_t i = 0; i < x->nwords; i++)
    for (size_t k = 0; k < x->words[i].nfunctions; k++)
      {
        struct join_place place;
        if (!joining_find (g, x->words[i].functions[k], false, &place))
          return false;
        x->words[i].functions[k] = place.address;
      }
  return true;
}

/* Is ADDRESS in the program's file, whose units and descriptions of blocks are those of the sum's
   build? */
static bool
is_own (const struct joining *g, uint64_t address)
{
  return address >= g->start && address < g->end;
}

static void
leave_out_tables (const struct joining *g, struct bbx *x)
{
  size_t kept = 0;
  for (size_t i = 0; i < x->nunits; i++)
    if (is_own (g, x->units[i].counters))
      {
        free (x->units[i].blocks);
        free (x->units[i].name);
      }
    else
      x->units[kept++] = x->units[i];
  x->nunits = kept;
  kept = 0;
  for (size_t i = 0; i < x->nblocks; i++)
    if (is_own (g, x->blocks[i].address))
      free (x->blocks[i].function);
    else
      x->blocks[kept++] = x->blocks[i];
  x->nblocks = kept;
}

/* Of a frame that made a call, the address in the tree is behind that of the call. */
static bool
move_stacks (struct joining *g, struct bbx_stacks *s)
{
  uint64_t *addresses = frame_addresses (s);
  bool ok = addresses || error_no_memory (g->err);
  for (size_t i = 0; ok && i < s->nnodes; i++)
    if (bbx_frame_is_code (s->nodes[i].kind))
      {
        struct join_place place;
        ok = joining_find (g, s->nodes[i].address, addresses[i] != s->nodes[i].address, &place);
        if (ok)
          s->nodes[i].address = place.address;
      }
  free (addresses);
  return ok;
}

static bool
move_rank (struct joining *g, struct bbx_run_rank *rank)
{
  struct join_place place;
  for (size_t i = 0; i < rank->ncalls; i++)
    {
      if (!joining_find (g, rank->calls[i].site, true, &place))
        return false;
      rank->calls[i].site = place.address;
    }
  for (int list = 0; list < BBX_RANK_LISTS; list++)
    {
      struct bbx_rank_counts *c = &rank->lists[list];
      size_t kept = 0;
      for (size_t i = 0; i < c->n; i++)
        {
          if (!joining_find (g, c->items[i].address, false, &place))
            return false;
          if (list != BBX_RANK_EXECUTIONS || place.kind != JOIN_START)
            c->items[kept++] = (struct bbx_rank_count) { place.address, c->items[i].count };
        }
      c->n = kept;
    }
  return true;
}

static bool
add_loss (struct bbx *x, uint64_t count)
{
  struct bbx_loss *losses = realloc (x->losses, (x->nlosses + 1) * sizeof *losses);
  if (!losses)
    return false;
  x->losses = losses;
  losses[x->nlosses++] = (struct bbx_loss) { .count = count, .cause = BBX_LOST_BUILDS };
  return true;
}

/* The build of the profile becomes an object of its own, if something stays in it. */
static bool
move_objects (struct joining *g, struct bbx *x, const struct bbx_run_object *executable)
{
  struct bbx_run_object alone = x->objects[0];
  char *path = strdup (executable->path);
  if (!path || !array_grow (&x->objects, x->nobjects, &x->room_objects, sizeof *x->objects))
    {
      free (path);
      return false;
    }
  struct bbx_object *own = &x->objects[0].fixed;
  x->objects[0].path = path;
  x->objects[0].build_id = executable->build_id;
  own->start = executable->fixed.start;
  own->end = executable->fixed.end;
  own->text_start = executable->fixed.text_start;
  own->text_end = executable->fixed.text_end;
  if (!g->has_alone)
    {
      free (alone.path);
      return true;
    }
  alone.image = NULL;
  alone.image_bytes = 0;
  alone.fixed.base = g->alone;
  /* Without its map: most of its blocks are in the sum's build, so none shows as not executed. */
  alone.fixed.flags &= ~(BBX_OBJECT_EXECUTABLE | BBX_OBJECT_BLOCKS);
  x->objects[x->nobjects++] = alone;
  return true;
}

bool
joining_sidecar (struct joining *g, const struct bbx_run_object *executable)
{
  struct bbx *x = &g->one->sidecar;
  leave_out_tables (g, x);
  bool ok = move_lists (g, x) && move_words (g, x) && move_stacks (g, &x->stacks);
  for (size_t i = 0; ok && i < x->ranks.n; i++)
    ok = move_rank (g, &x->ranks.all[i]);
  if (!ok)
    return false;
  ok = (g->left_out == 0 || add_loss (x, g->left_out)) && move_objects (g, x, executable);
  return ok || error_no_memory (g->err);
}
