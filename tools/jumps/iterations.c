/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "common/array.h"
#include "tools/jumps/iterations.h"

/* A loop that a frame is inside. */
struct visit {
  size_t loop;
  uint64_t iterations;
};

struct frame {
  size_t last;        /* index of the block executed last, or NO_PLACE */
  size_t first_visit; /* number of its visits; the innermost loop is the last one */
  bool known;         /* seen from its beginning */
};

#define NOT_ASKED ((size_t) -2)

/* State of one thread.  The stacks grow upwards: a frame's visits end where the visits of the next
   frame begin. */
struct walk {
  struct iteration_counts *counts;
  const struct iteration_lookup *lookup;
  size_t *place; /* of each block of the trace: its index in the map, or NOT_ASKED */
  struct frame *frames;
  size_t nframes, room_frames;
  struct visit *visits;
  size_t nvisits, room_visits;
};

unsigned
iteration_class (uint64_t iterations)
{
  return iterations ? 64 - (unsigned) __builtin_clzll (iterations) : 0;
}

static size_t
place_of (const struct walk *w, const struct trace_block *block)
{
  if (w->place[block->number] == NOT_ASKED)
    w->place[block->number] = w->lookup->find (w->lookup->context, block);
  return w->place[block->number];
}

static bool
has_way (const struct map *m, size_t from, size_t to)
{
  const struct map_block *b = &m->blocks[from];
  for (size_t i = 0; i < b->nways; i++)
    if (m->ways[b->first_way + i].to == to)
      return true;
  return false;
}

static void
end_visit (struct walk *w)
{
  const struct visit *v = &w->visits[--w->nvisits];
  struct iteration_counts *c = &w->counts[v->loop];
  if (c->entered == 0 || v->iterations < c->least)
    c->least = v->iterations;
  if (v->iterations > c->most)
    c->most = v->iterations;
  c->entered++;
  c->iterations += v->iterations;
  c->classes[iteration_class (v->iterations)]++;
}

/* Removes the frames above DEPTH, which left their loops. */
static void
leave_frames (struct walk *w, size_t depth)
{
  if (w->nframes <= depth)
    return;
  while (w->nvisits > w->frames[depth].first_visit)
    end_visit (w);
  w->nframes = depth;
}

/* Forgets the frames above DEPTH and their loops.  Their end is unknown: another context may be
   running. */
static void
forget_frames (struct walk *w, size_t depth)
{
  if (w->nframes <= depth)
    return;
  w->nvisits = w->frames[depth].first_visit;
  w->nframes = depth;
}

/* Makes DEPTH frames: removes those above, and adds unknown ones. */
static bool
set_depth (struct walk *w, size_t depth)
{
  forget_frames (w, depth);
  while (w->nframes < depth)
    {
      if (!array_grow (&w->frames, w->nframes, &w->room_frames, sizeof *w->frames))
        return false;
      w->frames[w->nframes++] = (struct frame) { .last = NO_PLACE, .first_visit = w->nvisits };
    }
  return true;
}

static bool
enter_frame (struct walk *w, size_t depth)
{
  if (!set_depth (w, depth - 1) || !set_depth (w, depth))
    return false;
  w->frames[depth - 1].known = true;
  return true;
}

/* Does BLOCK end the frame's innermost visit: by leaving the loop, or by entering it anew? */
static bool
leaves (const struct walk *w, const struct frame *f, size_t block, bool by_way)
{
  if (w->nvisits == f->first_visit)
    return false;
  size_t loop = w->visits[w->nvisits - 1].loop;
  return !loops_contain (w->lookup->loops, loop, block)
         || (w->lookup->loops->loops[loop].head == block && !by_way);
}

/* Control goes from the frame's last block to BLOCK, the head of a loop: does it come from
   outside? */
static bool
comes_in (const struct walk *w, const struct frame *f, size_t loop, bool by_way)
{
  if (f->last == NO_PLACE)
    return f->known;
  return !by_way || !loops_contain (w->lookup->loops, loop, f->last);
}

static bool
enter_loop (struct walk *w, size_t loop)
{
  if (!array_grow (&w->visits, w->nvisits, &w->room_visits, sizeof *w->visits))
    return false;
  w->visits[w->nvisits++] = (struct visit) { .loop = loop, .iterations = 1 };
  return true;
}

/* Executes BLOCK in the top frame. */
static bool
execute (struct walk *w, size_t block)
{
  const struct loops *l = w->lookup->loops;
  struct frame *f = &w->frames[w->nframes - 1];
  bool by_way = f->last != NO_PLACE && has_way (w->lookup->map, f->last, block), ok = true;
  while (leaves (w, f, block, by_way))
    {
      struct visit *v = &w->visits[w->nvisits - 1];
      v->iterations -= by_way && l->loops[v->loop].head == f->last && !l->loops[v->loop].returns;
      end_visit (w);
    }
  size_t loop = l->innermost[block];
  if (loop != NO_LOOP && l->loops[loop].head == block)
    {
      if (w->nvisits > f->first_visit && w->visits[w->nvisits - 1].loop == loop)
        w->visits[w->nvisits - 1].iterations++;
      else if (comes_in (w, f, loop, by_way))
        ok = enter_loop (w, loop);
    }
  f->last = block;
  return ok;
}

/* False: no memory. */
static bool
follow (struct walk *w, const struct trace_event *e)
{
  size_t block = e->block ? place_of (w, e->block) : NO_PLACE;
  switch (e->kind)
    {
    case TRACE_ENTER: return enter_frame (w, e->depth);
    case TRACE_LEAVE: leave_frames (w, e->depth - 1); return true;
    case TRACE_BLOCK: return set_depth (w, e->depth) && (block == NO_PLACE || execute (w, block));
    case TRACE_RETURN:
      if (!set_depth (w, e->depth - 1) || !set_depth (w, e->depth))
        return false;
      w->frames[e->depth - 1].last = block;
      return true;
    case TRACE_LAND:
    case TRACE_SIGNAL_END: leave_frames (w, e->depth); return set_depth (w, e->depth);
    case TRACE_LOST:
    case TRACE_END: forget_frames (w, 0); return true;
    case TRACE_SIGNAL: return true;
    }
  return true;
}

static bool
walk_thread (struct walk *w, struct trace *trace, unsigned thread)
{
  struct trace_event e;
  struct trace_cursor *c = trace_begin (trace, thread);
  bool ok = c != NULL;
  while (ok && trace_next (c, &e))
    ok = follow (w, &e);
  trace_cursor_free (c);
  return ok;
}

bool
iterations_add (struct iteration_counts *counts, struct trace *trace,
                const struct iteration_lookup *lookup)
{
  const struct trace_thread *threads;
  size_t nthreads = trace_threads (trace, &threads), nblocks = trace_blocks (trace);
  struct walk w
      = { .counts = counts, .lookup = lookup, .place = malloc ((nblocks + 1) * sizeof *w.place) };
  bool ok = w.place != NULL;
  for (size_t i = 0; ok && i < nblocks; i++)
    w.place[i] = NOT_ASKED;
  for (size_t i = 0; ok && i < nthreads; i++)
    ok = walk_thread (&w, trace, threads[i].number);
  free (w.place);
  free (w.frames);
  free (w.visits);
  return ok;
}
