/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checkpoints of one cursor. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/decode/trace_checkpoint.h"

/* Limits of memory: frames, and what a checkpoint costs in addition.  When it is used up, every
   second checkpoint is removed. */
enum { CHECKPOINT_FRAMES = 1 << 22, POINT_FRAMES = 8 };

static size_t
cost (const struct checkpoint *point)
{
  return point->nframes - point->shared + POINT_FRAMES;
}

void
checkpoints_begin (struct checkpoints *c)
{
  *c = (struct checkpoints) { .stride = 1 };
}

static void
drop_all (struct checkpoints *c)
{
  for (size_t i = 0; i < c->npoints; i++)
    free (c->points[i].frames);
  c->npoints = c->used = 0;
}

void
checkpoints_free (struct checkpoints *c)
{
  drop_all (c);
  free (c->points);
}

/* Removes BEFORE, the checkpoint before P.  P takes over the frames that both share and that the
   one before them does not have. */
static bool
inherit (struct checkpoint *p, const struct checkpoint *before)
{
  if (before->shared >= p->shared)
    return true;
  const size_t more = p->shared - before->shared, own = p->nframes - p->shared;
  struct walk_frame *frames = malloc ((more + own + 1) * sizeof *frames);
  if (!frames)
    return false;
  memcpy (frames, before->frames, more * sizeof *frames);
  memcpy (frames + more, p->frames, own * sizeof *frames);
  free (p->frames);
  p->frames = frames;
  p->shared = before->shared;
  return true;
}

/* Keeps the last one, because the caller knows what the next one shares with it. */
static void
drop_every_second (struct checkpoints *c)
{
  size_t kept = 0;
  const size_t first = c->npoints % 2; /* index of the first removed one */
  for (size_t i = first; i < c->npoints; i += 2)
    if (!inherit (&c->points[i + 1], &c->points[i]))
      return drop_all (c);
  c->stride *= 2;
  c->used = 0;
  for (size_t i = 0; i < c->npoints; i++)
    if (i % 2 == first)
      free (c->points[i].frames);
    else
      {
        c->used += cost (&c->points[i]);
        c->points[kept++] = c->points[i];
      }
  c->npoints = kept;
}

size_t
checkpoints_note (struct checkpoints *c, const struct checkpoint *point)
{
  size_t next = c->npoints ? c->points[c->npoints - 1].next_piece + c->stride : 0;
  const size_t shared = c->npoints ? point->shared : 0, own = point->nframes - shared;
  if (point->next_piece < next || !array_grow (&c->points, c->npoints, &c->room, sizeof *c->points))
    return point->shared;
  struct walk_frame *frames = malloc ((own + 1) * sizeof *frames);
  if (!frames)
    return point->shared;
  if (own)
    memcpy (frames, point->frames + shared, own * sizeof *frames);
  struct checkpoint *kept = &c->points[c->npoints++];
  *kept = *point;
  kept->frames = frames;
  kept->shared = shared;
  c->used += cost (kept);
  if (c->used > CHECKPOINT_FRAMES)
    drop_every_second (c);
  return point->nframes;
}

const struct checkpoint *
checkpoints_find (const struct checkpoints *c, uint64_t number, uint64_t time)
{
  size_t before
      = ARRAY_BEFORE (i, c->npoints, c->points[i].number < number && c->points[i].time < time);
  return before ? &c->points[before - 1] : NULL;
}

void
checkpoints_frames (const struct checkpoint *point, struct walk_frame *frames)
{
  for (size_t wanted = point->nframes; wanted > 0; point--)
    if (point->shared < wanted)
      {
        memcpy (frames + point->shared, point->frames, (wanted - point->shared) * sizeof *frames);
        wanted = point->shared;
      }
}
