/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checkpoints of one cursor. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "trace_checkpoint.h"

/* Memory for them, in frames; if it is used up, every second one goes. */
enum { CHECKPOINT_FRAMES = 1 << 22 };

void
checkpoints_begin (struct checkpoints *c)
{
  *c = (struct checkpoints) { .stride = 1 };
}

void
checkpoints_free (struct checkpoints *c)
{
  for (size_t i = 0; i < c->npoints; i++)
    free (c->points[i].frames);
  free (c->points);
}

static void
drop_every_second (struct checkpoints *c)
{
  size_t kept = 0;
  for (size_t i = 0; i < c->npoints; i++)
    if (i % 2 == 0)
      c->points[kept++] = c->points[i];
    else
      {
        c->frames -= c->points[i].nframes + 1;
        free (c->points[i].frames);
      }
  c->npoints = kept;
  c->stride *= 2;
}

void
checkpoints_note (struct checkpoints *c, const struct checkpoint *point)
{
  size_t next = c->npoints ? c->points[c->npoints - 1].next_piece + c->stride : 0;
  if (point->next_piece < next || !array_grow (&c->points, c->npoints, &c->room, sizeof *c->points))
    return;
  struct walk_frame *frames = malloc ((point->nframes + 1) * sizeof *frames);
  if (!frames)
    return;
  if (point->nframes)
    memcpy (frames, point->frames, point->nframes * sizeof *frames);
  struct checkpoint *kept = &c->points[c->npoints++];
  *kept = *point;
  kept->frames = frames;
  c->frames += point->nframes + 1;
  if (c->frames > CHECKPOINT_FRAMES)
    drop_every_second (c);
}

const struct checkpoint *
checkpoints_find (const struct checkpoints *c, uint64_t number, uint64_t time)
{
  size_t low = 0, high = c->npoints;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (c->points[middle].number < number && c->points[middle].time < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low ? &c->points[low - 1] : NULL;
}
