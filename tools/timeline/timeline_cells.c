/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "collect/streams/watched.h"
#include "tools/timeline/timeline_cells.h"

uint64_t
timeline_scale_bound (const struct timeline_scale *s, size_t i)
{
  return s->from + (uint64_t) ((unsigned __int128) (s->to - s->from) * i / s->cells);
}

size_t
timeline_scale_cell (const struct timeline_scale *s, uint64_t time)
{
  size_t cell = (size_t) ((unsigned __int128) (time - s->from) * s->cells / (s->to - s->from));
  cell = cell < s->cells ? cell : s->cells - 1;
  /* Bounds are rounded down, so a cell may begin a little before its share. */
  return cell + 1 < s->cells && timeline_scale_bound (s, cell + 1) <= time ? cell + 1 : cell;
}

void
timeline_cells_walk (const struct timeline_scale *s, const struct timeline_thread *thread,
                     timeline_cells_taker *take, void *context)
{
  size_t i = timeline_first (thread, s->from), cell = 0;
  uint64_t next = 0;
  for (; i < thread->nintervals && thread->intervals[i].start < s->to; i++)
    {
      const struct timeline_interval *interval = &thread->intervals[i];
      uint64_t at = interval->start > s->from ? interval->start : s->from,
               end = interval->end < s->to ? interval->end : s->to;
      if (at >= next && at < end)
        {
          cell = timeline_scale_cell (s, at);
          next = timeline_scale_bound (s, cell + 1);
        }
      while (at < end)
        {
          uint64_t stop = end < next ? end : next;
          take (context, cell, interval, stop - at);
          at = stop;
          if (at == next)
            next = timeline_scale_bound (s, ++cell + 1);
        }
    }
}

static void
add (void *context, size_t cell, const struct timeline_interval *interval, uint64_t length)
{
  struct timeline_cell *cells = context;
  cells[cell].time[interval->state] += length;
  if (interval->state == TIMELINE_SLEEPING && watched_is_lock (interval->why))
    cells[cell].lock += length;
}

void
timeline_cells_fill (const struct timeline_scale *s, const struct timeline_thread *thread,
                     struct timeline_cell *cells)
{
  memset (cells, 0, s->cells * sizeof *cells);
  timeline_cells_walk (s, thread, add, cells);
}
