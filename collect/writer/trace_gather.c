/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "collect/writer/trace_gather.h"

bool
trace_gather_begin (struct trace_gather *c, struct trace_out *out)
{
  *c = (struct trace_gather) { .out = out };
  return packer_begin (&c->packer);
}

static bool
is_open (const struct gathering *g)
{
  return g->group && g->group->pieces > 0;
}

/* Writes a group.  If the file or the memory has no room, counts its pieces as lost. */
static void
write_group (struct trace_gather *c, struct gathering *g)
{
  c->content.size = 0;
  size_t pieces = g->group->pieces;
  if (!c->out->error && group_pack (g->group, &c->packer, &c->content))
    trace_out_chunk (c->out, BBT_TYPE_PIECES, c->content.data, c->content.size);
  if (c->out->error || c->content.size == 0)
    c->lost += pieces;
  group_begin (g->group);
}

/* Finds the group of STREAM; else a free one; else writes and frees the oldest. */
static struct gathering *
find (struct trace_gather *c, uint32_t stream)
{
  struct gathering *best = c->gatherings;
  for (struct gathering *g = c->gatherings; g < c->gatherings + TRACE_GATHER_GROUPS; g++)
    {
      if (is_open (g) && g->stream == stream)
        return g;
      if (is_open (best) && (!is_open (g) || g->since < best->since))
        best = g;
    }
  if (is_open (best))
    write_group (c, best);
  return best;
}

static bool
begin (struct gathering *g, uint32_t stream, uint64_t now)
{
  if (!g->group)
    {
      g->group = calloc (1, sizeof *g->group);
      if (!g->group)
        return false;
      group_begin (g->group);
    }
  g->stream = stream;
  g->since = now;
  return true;
}

static bool
is_alone (const struct bbt_piece *h)
{
  return h->start == BBT_START_STREAM && h->end == BBT_END_STREAM;
}

/* Replaces times by the prediction from the group's pieces. */
static void
simplify_times (const struct group *g, struct shared_copy *copy)
{
  struct bbt_piece *h = &copy->head;
  marks_smooth (h, g->heads, g->pieces);
  copy->piece.nmarks = marks_thin (h, copy->marks, h->marks);
  h->marks = (uint32_t) copy->piece.nmarks;
}

static bool
add (struct gathering *g, struct shared_copy *copy)
{
  simplify_times (g->group, copy);
  return group_add (g->group, &copy->piece);
}

void
trace_gather_add (struct trace_gather *c, struct shared_copy *copy, uint64_t now)
{
  uint32_t stream = is_alone (&copy->head) ? 0 : copy->head.stream;
  struct gathering *g = find (c, stream);
  if (c->out->error || (!is_open (g) && !begin (g, stream, now)) || !add (g, copy))
    c->lost++;
  else if (group_is_full (g->group) || (stream && copy->head.end == BBT_END_STREAM))
    write_group (c, g);
}

void
trace_gather_flush (struct trace_gather *c, uint64_t before)
{
  for (struct gathering *g = c->gatherings; g < c->gatherings + TRACE_GATHER_GROUPS; g++)
    if (is_open (g) && g->since < before)
      write_group (c, g);
}
