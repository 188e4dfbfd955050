/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tools/decode/thread_places.h"

#define NOWHERE UINT64_MAX /* the cursor has been moved */

static unsigned
flag_of (enum trace_kind kind)
{
  return kind == TRACE_ENTER        ? PLACE_ENTERED
         : kind == TRACE_LAND       ? PLACE_LANDED
         : kind == TRACE_SIGNAL     ? PLACE_SIGNAL
         : kind == TRACE_SIGNAL_END ? PLACE_RESUMED
         : kind == TRACE_LOST       ? PLACE_LOST
                                    : 0;
}

/* The next block; false at the end. */
static bool
read_place (struct places *p, struct place *place)
{
  struct trace_event e;
  while (trace_next (p->cursor, &e))
    {
      p->before |= flag_of (e.kind);
      if (e.kind == TRACE_END)
        p->cut = e.cut;
      if (e.kind != TRACE_BLOCK)
        continue;
      *place = (struct place) {
        .block = e.block, .time = e.time, .depth = e.depth, .before = p->before
      };
      p->before = 0;
      p->next = e.number + 1;
      return true;
    }
  if (p->next != NOWHERE)
    {
      p->ended = true;
      p->count = p->next;
    }
  return false;
}

/* Moves the cursor to block NUMBER, and to all that comes directly before it. */
static bool
move_to (struct places *p, uint64_t number)
{
  struct place before;
  if (number == p->next)
    return true;
  p->before = 0;
  p->next = number;
  if (number > 0)
    return trace_seek_block (p->cursor, number - 1) && read_place (p, &before);
  trace_cursor_free (p->cursor);
  p->cursor = trace_begin (p->trace, p->thread);
  return p->cursor != NULL;
}

static struct stretch *
read_stretch (struct places *p, uint64_t first)
{
  struct stretch *s = &p->stretches[p->oldest];
  p->oldest = (p->oldest + 1) % PLACES_STRETCHES;
  s->first = first;
  s->count = 0;
  if (!s->places)
    s->places = malloc (PLACES_IN_STRETCH * sizeof *s->places);
  if (!s->places || !p->cursor)
    return s;
  if (!move_to (p, first))
    {
      p->next = NOWHERE;
      return s;
    }
  while (s->count < PLACES_IN_STRETCH && read_place (p, &s->places[s->count]))
    s->count++;
  return s;
}

bool
places_open (struct places *p, struct trace *trace, unsigned thread)
{
  *p = (struct places) { .trace = trace, .thread = thread, .cursor = trace_begin (trace, thread) };
  return p->cursor != NULL;
}

void
places_close (struct places *p)
{
  for (size_t i = 0; i < PLACES_STRETCHES; i++)
    free (p->stretches[i].places);
  if (p->stack_cursor)
    trace_cursor_free (p->stack_cursor);
  if (p->cursor)
    trace_cursor_free (p->cursor);
  memset (p, 0, sizeof *p);
}

const struct place *
places_at (struct places *p, uint64_t number)
{
  struct stretch *s = NULL;
  if (p->ended && number >= p->count)
    return NULL;
  for (size_t i = 0; i < PLACES_STRETCHES && !s; i++)
    if (number - p->stretches[i].first < p->stretches[i].count)
      s = &p->stretches[i];
  if (!s)
    s = read_stretch (p, number - number % PLACES_IN_STRETCH);
  return number - s->first < s->count ? &s->places[number - s->first] : NULL;
}

uint64_t
places_count (struct places *p)
{
  if (!p->ended && !trace_seek_block (p->cursor, UINT64_MAX))
    {
      uint64_t count = trace_position (p->cursor);
      p->next = NOWHERE;
      places_at (p, count); /* there is none: sees the end */
    }
  return p->count;
}

uint64_t
places_at_time (struct places *p, uint64_t ns)
{
  struct place found;
  p->next = NOWHERE;
  p->before = 0;
  if (trace_seek_time (p->cursor, ns) && read_place (p, &found))
    return p->next - 1;
  uint64_t count = places_count (p);
  return count > 0 ? count - 1 : 0;
}

size_t
places_stack (struct places *p, uint64_t number, const struct trace_block *const **frames)
{
  struct trace_event e;
  if (!p->stack_cursor)
    p->stack_cursor = trace_begin (p->trace, p->thread);
  if (!p->stack_cursor || !trace_seek_block (p->stack_cursor, number))
    return 0;
  while (trace_next (p->stack_cursor, &e))
    if (e.kind == TRACE_BLOCK)
      return trace_stack (p->stack_cursor, frames);
  return 0;
}
