/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tools/replay/replay.h"

bool
replay_open (struct replay *r, struct trace *trace)
{
  *r = (struct replay) { .trace = trace };
  r->nthreads = trace_threads (trace, &r->threads);
  if (!lines_open (&r->lines, trace) || r->nthreads == 0
      || !thread_blocks_open (&r->blocks, trace, 0))
    return false;
  while (!replay_place (r) && r->thread + 1 < r->nthreads)
    if (replay_thread (r, r->thread + 1) == REPLAY_NONE)
      return false;
  return true;
}

void
replay_close (struct replay *r)
{
  thread_blocks_close (&r->blocks);
  lines_close (&r->lines);
}

const struct thread_block *
replay_place (struct replay *r)
{
  return thread_blocks_at (&r->blocks, r->number);
}

/* The result at the end of the trace in this direction. */
static enum replay_result
edge (enum replay_direction to)
{
  return to == REPLAY_FORWARD ? REPLAY_END : REPLAY_START;
}

/* Copies the next block in that direction; false: none. */
static bool
peek (struct replay *r, enum replay_direction to, uint64_t from, struct thread_block *place)
{
  const struct thread_block *found
      = to == REPLAY_BACK && from == 0
            ? NULL
            : thread_blocks_at (&r->blocks, from + (uint64_t) (int64_t) to);
  if (found)
    *place = *found;
  return found != NULL;
}

/* Moves by one block; false: at the end.  LOST: a part between the two was not recorded. */
static bool
move (struct replay *r, enum replay_direction to, struct thread_block *place, bool *lost)
{
  struct thread_block old = *place;
  if (!peek (r, to, r->number, place))
    return false;
  r->number += (uint64_t) (int64_t) to;
  *lost = ((to == REPLAY_FORWARD ? place : &old)->before & BLOCK_LOST) != 0;
  return true;
}

enum replay_result
replay_step (struct replay *r, enum replay_direction to, uint64_t n)
{
  if (to == REPLAY_BACK)
    {
      bool enough = n <= r->number;
      r->number -= enough ? n : r->number;
      return enough ? REPLAY_DONE : REPLAY_START;
    }
  return replay_goto (r, n < UINT64_MAX - r->number ? r->number + n : UINT64_MAX);
}

enum replay_result
replay_goto (struct replay *r, uint64_t number)
{
  if (thread_blocks_at (&r->blocks, number))
    {
      r->number = number;
      return REPLAY_DONE;
    }
  uint64_t count = thread_blocks_count (&r->blocks);
  r->number = count > 0 ? count - 1 : 0;
  return REPLAY_END;
}

enum replay_result
replay_time (struct replay *r, uint64_t ns)
{
  r->number = thread_blocks_at_time (&r->blocks, ns);
  const struct thread_block *place = replay_place (r);
  return place && place->time < ns ? REPLAY_END : REPLAY_DONE;
}

enum replay_result
replay_thread (struct replay *r, unsigned thread)
{
  struct thread_blocks blocks;
  const struct thread_block *here = replay_place (r);
  uint64_t time = here ? here->time : 0;
  if (thread >= r->nthreads || !thread_blocks_open (&blocks, r->trace, thread))
    return REPLAY_NONE;
  thread_blocks_close (&r->blocks);
  r->blocks = blocks;
  r->thread = thread;
  return replay_time (r, time);
}

/* Did the frame at depth DEPTH end when PLACE, which is later, was executed?  A frame of the
   same depth may be another one. */
static bool
has_left (unsigned depth, const struct thread_block *place)
{
  return place->depth < depth || (place->depth == depth && (place->before & BLOCK_ENTERED));
}

static enum replay_result
next_line (struct replay *r)
{
  struct thread_block start = *replay_place (r), place = start;
  bool lost;
  while (move (r, REPLAY_FORWARD, &place, &lost))
    if (lost)
      return REPLAY_LOST;
    else if (has_left (start.depth, &place)
             || (place.depth == start.depth && !lines_same (&r->lines, place.block, start.block)))
      return REPLAY_DONE;
  return REPLAY_END;
}

/* Moves back to the previous block that is not deeper, then to the first block of its line. */
static enum replay_result
line_before (struct replay *r)
{
  struct thread_block place = *replay_place (r), found;
  unsigned depth = place.depth;
  uint64_t number;
  bool lost;
  do
    {
      if (!move (r, REPLAY_BACK, &place, &lost))
        return REPLAY_START;
      if (lost)
        return REPLAY_LOST;
  } while (place.depth > depth);
  found = place;
  number = r->number;
  while (!(found.before & (BLOCK_ENTERED | BLOCK_LOST)) && move (r, REPLAY_BACK, &place, &lost)
         && !lost && place.depth >= found.depth)
    if (place.depth == found.depth)
      {
        if (!lines_same (&r->lines, place.block, found.block))
          break;
        found = place;
        number = r->number;
      }
  r->number = number;
  return REPLAY_DONE;
}

enum replay_result
replay_line (struct replay *r, enum replay_direction to)
{
  return to == REPLAY_FORWARD ? next_line (r) : line_before (r);
}

enum replay_result
replay_leave (struct replay *r, enum replay_direction to)
{
  struct thread_block place = *replay_place (r);
  unsigned depth = place.depth;
  bool lost;
  while (move (r, to, &place, &lost))
    if (lost)
      return REPLAY_LOST;
    else if (to == REPLAY_FORWARD ? has_left (depth, &place) : place.depth < depth)
      return REPLAY_DONE;
  return edge (to);
}

enum replay_result
replay_run (struct replay *r, enum replay_direction to, const struct location *stops, size_t n,
            size_t *hit)
{
  struct thread_block place = *replay_place (r), before;
  bool lost;
  while (move (r, to, &place, &lost))
    {
      bool first = !peek (r, REPLAY_BACK, r->number, &before);
      for (size_t i = 0; i < n; i++)
        if (location_visited (&stops[i], first ? NULL : &before, &place))
          {
            *hit = i;
            return REPLAY_STOP;
          }
    }
  return edge (to);
}

enum replay_result
replay_visit (struct replay *r, enum replay_direction to, const struct location *location,
              uint64_t n)
{
  uint64_t number = r->number;
  size_t hit;
  for (; n > 0; n--)
    if (replay_run (r, to, location, 1, &hit) != REPLAY_STOP)
      {
        r->number = number;
        return REPLAY_NONE;
      }
  return REPLAY_DONE;
}

enum replay_result
replay_nth (struct replay *r, const struct location *location, uint64_t n)
{
  uint64_t number = r->number;
  r->number = 0;
  if (location_visited (location, NULL, replay_place (r)))
    n--;
  enum replay_result result = replay_visit (r, REPLAY_FORWARD, location, n);
  if (result == REPLAY_NONE)
    r->number = number;
  return result;
}

size_t
replay_stack (struct replay *r, const struct trace_block *const **frames)
{
  return thread_blocks_stack (&r->blocks, r->number, frames);
}
