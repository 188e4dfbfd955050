/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tools/decode/thread_blocks.h"

#define NOWHERE UINT64_MAX /* the cursor was moved */

static unsigned
flag_of (enum trace_kind kind)
{
  return kind == TRACE_ENTER        ? BLOCK_ENTERED
         : kind == TRACE_LAND       ? BLOCK_LANDED
         : kind == TRACE_SIGNAL     ? BLOCK_SIGNAL
         : kind == TRACE_SIGNAL_END ? BLOCK_RESUMED
         : kind == TRACE_LOST       ? BLOCK_LOST
                                    : 0;
}

/* Reads the next block; false at the end. */
static bool
read_block (struct thread_blocks *p, struct thread_block *place)
{
  struct trace_event e;
  while (trace_next (p->cursor, &e))
    {
      p->before |= flag_of (e.kind);
      if (e.kind == TRACE_END)
        p->cut = e.cut;
      if (e.kind != TRACE_BLOCK)
        continue;
      *place = (struct thread_block) {
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

/* Moves the cursor to block NUMBER, in front of the events directly before it. */
static bool
move_to (struct thread_blocks *p, uint64_t number)
{
  struct thread_block before;
  if (number == p->next)
    return true;
  p->before = 0;
  p->next = number;
  if (number > 0)
    return trace_seek_block (p->cursor, number - 1) && read_block (p, &before);
  trace_cursor_free (p->cursor);
  p->cursor = trace_begin (p->trace, p->thread);
  return p->cursor != NULL;
}

static struct stretch *
read_stretch (struct thread_blocks *p, uint64_t first)
{
  struct stretch *s = &p->stretches[p->oldest];
  p->oldest = (p->oldest + 1) % STRETCHES;
  s->first = first;
  s->count = 0;
  if (!s->blocks)
    s->blocks = malloc (BLOCKS_IN_STRETCH * sizeof *s->blocks);
  if (!s->blocks || !p->cursor)
    return s;
  if (!move_to (p, first))
    {
      p->next = NOWHERE;
      return s;
    }
  while (s->count < BLOCKS_IN_STRETCH && read_block (p, &s->blocks[s->count]))
    s->count++;
  return s;
}

bool
thread_blocks_open (struct thread_blocks *p, struct trace *trace, unsigned thread)
{
  *p = (struct thread_blocks) { .trace = trace,
                                .thread = thread,
                                .cursor = trace_begin (trace, thread) };
  return p->cursor != NULL;
}

void
thread_blocks_close (struct thread_blocks *p)
{
  for (size_t i = 0; i < STRETCHES; i++)
    free (p->stretches[i].blocks);
  if (p->stack_cursor)
    trace_cursor_free (p->stack_cursor);
  if (p->cursor)
    trace_cursor_free (p->cursor);
  memset (p, 0, sizeof *p);
}

const struct thread_block *
thread_blocks_at (struct thread_blocks *p, uint64_t number)
{
  struct stretch *s = NULL;
  if (p->ended && number >= p->count)
    return NULL;
  for (size_t i = 0; i < STRETCHES && !s; i++)
    if (number - p->stretches[i].first < p->stretches[i].count)
      s = &p->stretches[i];
  if (!s)
    s = read_stretch (p, number - number % BLOCKS_IN_STRETCH);
  return number - s->first < s->count ? &s->blocks[number - s->first] : NULL;
}

uint64_t
thread_blocks_count (struct thread_blocks *p)
{
  if (!p->ended && !trace_seek_block (p->cursor, UINT64_MAX))
    {
      uint64_t count = trace_position (p->cursor);
      p->next = NOWHERE;
      thread_blocks_at (p, count); /* there is none, so this finds the end */
    }
  return p->count;
}

uint64_t
thread_blocks_at_time (struct thread_blocks *p, uint64_t ns)
{
  struct thread_block found;
  p->next = NOWHERE;
  p->before = 0;
  if (trace_seek_time (p->cursor, ns) && read_block (p, &found))
    return p->next - 1;
  uint64_t count = thread_blocks_count (p);
  return count > 0 ? count - 1 : 0;
}

size_t
thread_blocks_stack (struct thread_blocks *p, uint64_t number,
                     const struct trace_block *const **frames)
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
