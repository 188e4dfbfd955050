/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/decode/trace_walk.h"

/* A token has an address in its low bits, and above it the frame's index modulo 65536. */
#define ADDRESS_BITS 48
#define ADDRESS_MASK ((1UL << ADDRESS_BITS) - 1)

/* Result of a step without an event. */
#define WALK_ON ((enum walk_step) - 1)

static inline struct walk_frame *
top (const struct walk *w)
{
  return &w->frames[w->nframes - 1];
}

static inline bool
is_lost (const struct walk *w)
{
  return w->nframes == 0 || top (w)->block == GRAPH_NO_BLOCK;
}

static inline bool
is_dry (const struct walk *w)
{
  return w->bit >= w->limit.bits;
}

static inline bool
next_bit (const struct walk *w)
{
  return piece_bit (&w->piece, w->bit);
}

static enum walk_step
wrong (struct walk *w, const char *what, uint64_t token)
{
  snprintf (w->why, sizeof w->why, "bit %zu, token %zu: %s%s0x%" PRIx64, w->bit, w->token, what,
            is_lost (w) ? " in no function, " : ", ", token);
  return WALK_WRONG;
}

/* Moving.  */

/* FRAME is in front of its block's call CALL, or behind the last one. */
static inline void
set_call (struct walk_frame *frame, uint32_t call)
{
  frame->call = call;
  frame->entered = false;
}

static inline enum walk_step
go (struct walk *w, uint32_t block)
{
  struct walk_frame *frame = top (w);
  frame->block = block;
  set_call (frame, 0);
  w->state = w->graph->blocks[block].lands ? WALK_LANDS : WALK_HEAD;
  return WALK_ON;
}

/* Removes the frames above the lowest N; the one below them may change. */
static inline void
cut (struct walk *w, size_t n)
{
  w->nframes = n;
  walk_keep (w, w->kept);
}

static enum walk_step
leave (struct walk *w)
{
  w->left = top (w)->block;
  cut (w, w->nframes - 1);
  w->state = WALK_CALLS;
  return WALK_LEAVE;
}

/* Leaves the top frame, which returned without a record.  An unknown frame gives no event. */
static enum walk_step
leave_unheard (struct walk *w)
{
  w->unheard--;
  if (!is_lost (w))
    return leave (w);
  cut (w, w->nframes - 1);
  return WALK_ON;
}

/* The frames above the lowest KEPT ones returned without a record. */
static enum walk_step
leave_above (struct walk *w, size_t kept)
{
  w->unheard = w->nframes - kept;
  return leave_unheard (w);
}

static bool
push (struct walk *w, uint32_t block, uint32_t index)
{
  if (!array_grow (&w->frames, w->nframes, &w->room, sizeof *w->frames))
    return false;
  w->frames[w->nframes++] = (struct walk_frame) { .block = block, .index = index };
  return true;
}

static void
take_token (struct walk *w)
{
  w->bit++;
  w->token++;
}

/* Tokens.  */

/* The full index of a frame near the top. */
static uint32_t
index_near_top (const struct walk *w, uint16_t depth)
{
  uint32_t above = w->nframes ? top (w)->index : 0;
  return above + (uint32_t) (int16_t) (depth - (uint16_t) above);
}

/* The number of frames with an index of INDEX or less; indices ascend. */
static size_t
count_frames (const struct walk *w, uint32_t index)
{
  return ARRAY_BEFORE (i, w->nframes, w->frames[i].index <= index);
}

/* The frame with index DEPTH, modulo 65536: the one nearest to the top that is unknown or of
   FUNCTION, else (because control changes stacks, as in swapcontext) the nearest one. */
static struct walk_frame *
find_frame (const struct walk *w, uint16_t depth, uint32_t function)
{
  struct walk_frame *nearest = NULL;
  const int64_t last = w->nframes ? top (w)->index : 0;
  for (int64_t index = last - (uint16_t) ((uint16_t) last - depth); index > 0;
       index -= UINT16_MAX + 1)
    {
      const size_t n = count_frames (w, (uint32_t) index);
      struct walk_frame *frame = n ? &w->frames[n - 1] : NULL;
      if (!frame || frame->index != index)
        continue;
      if (frame->block == GRAPH_NO_BLOCK || w->graph->blocks[frame->block].function == function)
        return frame;
      if (!nearest)
        nearest = frame;
    }
  return nearest;
}

/* Is BLOCK the entry that the top frame expects from its call? */
static bool
is_expected (const struct walk *w, uint32_t block)
{
  if (is_lost (w))
    return false;
  const struct graph_block *caller = &w->graph->blocks[top (w)->block];
  return top (w)->call < caller->ncalls
         && w->graph->calls[caller->first_call + top (w)->call].callee == block;
}

static enum walk_step
enter_frame (struct walk *w, uint32_t block, uint32_t index)
{
  if (is_expected (w, block))
    top (w)->entered = true;
  if (!push (w, block, index))
    return WALK_NO_MEMORY;
  w->state = WALK_HEAD;
  return WALK_ENTER;
}

/* The call of the top frame entered the function that it calls. */
static enum walk_step
enter_expected (struct walk *w, uint32_t block)
{
  w->bit++;
  return enter_frame (w, block, top (w)->index + 1);
}

/* A function was entered, called by the top frame or by one below it.  The frames above the
   caller returned without a record. */
static enum walk_step
enter (struct walk *w, uint32_t block, uint16_t depth)
{
  uint32_t index = index_near_top (w, depth);
  if ((int32_t) index < 1)
    return wrong (w, "a frame below the first is entered", depth);
  if (w->nframes && index <= top (w)->index)
    return leave_above (w, count_frames (w, index - 1));
  take_token (w);
  return enter_frame (w, block, index);
}

/* Control is in the frame with index DEPTH, which the walk never saw, or took for returned. */
static enum walk_step
find_again (struct walk *w, uint16_t depth)
{
  uint32_t index = index_near_top (w, depth);
  if ((int32_t) index < 1)
    return wrong (w, "control is in a frame below the first", depth);
  if (w->nframes && index < top (w)->index)
    return leave_above (w, count_frames (w, index));
  return push (w, GRAPH_NO_BLOCK, index) ? WALK_ON : WALK_NO_MEMORY;
}

static enum walk_step
land (struct walk *w, uint32_t block, uint16_t depth)
{
  struct walk_frame *frame = find_frame (w, depth, w->graph->blocks[block].function);
  if (!frame)
    return find_again (w, depth);
  take_token (w);
  cut (w, (size_t) (frame - w->frames) + 1);
  go (w, block);
  w->state = WALK_HEAD;
  return WALK_LAND;
}

/* CALL returned, from a frame that the chunk did not have; or frames above it were left without
   a record; or control is on another stack. */
static enum walk_step
come_back (struct walk *w, uint32_t call, uint16_t depth)
{
  uint32_t block = w->graph->calls[call].block;
  uint32_t number = call - w->graph->blocks[block].first_call;
  struct walk_frame *frame = find_frame (w, depth, w->graph->blocks[block].function);
  if (!frame)
    return find_again (w, depth);
  if (frame != top (w))
    return leave_above (w, (size_t) (frame - w->frames) + 1);
  take_token (w);
  bool expected = frame->block == block && frame->call == number;
  frame->block = block;
  set_call (frame, number + 1);
  w->state = WALK_CALLS;
  return expected ? WALK_ON : WALK_RETURN;
}

/* Historic code has no frames. */
static enum walk_step
pass (struct walk *w, uint32_t block)
{
  take_token (w);
  w->left = block;
  return w->graph->blocks[block].hidden ? WALK_ON : WALK_LONE;
}

/* The next bit is 1 and has a token.  LANDING: only a landing is possible. */
static enum walk_step
hear (struct walk *w, bool landing)
{
  if (w->token >= w->limit.tokens)
    return WALK_DRY;
  uint64_t token = w->piece.tokens[w->token];
  uint16_t depth = (uint16_t) (token >> ADDRESS_BITS);
  struct graph_target target
      = graph_find (w->graph, trace_address (&w->lookup, token & ADDRESS_MASK));
  if (target.what == GRAPH_LANDING)
    return land (w, target.index, depth);
  if (!landing && target.what == GRAPH_ENTRY)
    return enter (w, target.index, depth);
  if (!landing && target.what == GRAPH_POINT)
    return come_back (w, target.index, depth);
  if (!landing && target.what == GRAPH_LONE)
    return pass (w, target.index);
  return wrong (w, "not a place that control can reach here", token);
}

/* Steps.  */

static enum walk_step
wait_for_frame (struct walk *w)
{
  if (is_dry (w))
    return WALK_DRY;
  if (!next_bit (w))
    return wrong (w, "a call returns in an unknown frame", 0);
  return hear (w, false);
}

/* The top frame is in front of a block that records its execution. */
static enum walk_step
arrive (struct walk *w)
{
  uint32_t block = top (w)->block;
  if (is_dry (w) || w->token >= w->limit.tokens)
    return WALK_DRY;
  uint64_t token = w->piece.tokens[w->token];
  struct graph_target target
      = graph_find (w->graph, trace_address (&w->lookup, token & ADDRESS_MASK));
  if (!next_bit (w) || target.what != GRAPH_LANDING || target.index != block)
    return wrong (w, "no landing is recorded for the block that control reached",
                  w->graph->blocks[block].start);
  return land (w, block, (uint16_t) (token >> ADDRESS_BITS));
}

/* If a block continues behind its final call, that call is setjmp or the like: the next block is
   recorded. */
static enum walk_step
at_call (struct walk *w, const struct graph_block *block, const struct graph_call *call)
{
  if (call->tail)
    return leave (w);
  if (call->final && block->nways > 0)
    {
      set_call (top (w), top (w)->call + 1);
      return WALK_ON;
    }
  if (is_dry (w))
    return WALK_DRY;
  if (next_bit (w))
    return hear (w, false);
  if (call->callee != GRAPH_NO_BLOCK && !top (w)->entered)
    return enter_expected (w, call->callee);
  if (call->final)
    return leave (w);
  w->bit++;
  set_call (top (w), top (w)->call + 1);
  return WALK_ON;
}

/* True if the top frame, which seems to leave its function, jumped to an address in it instead:
   the next token tells. */
static bool
jumps (struct walk *w)
{
  if (!next_bit (w) || w->token >= w->limit.tokens)
    return false;
  uint64_t token = w->piece.tokens[w->token];
  struct graph_target target
      = graph_find (w->graph, trace_address (&w->lookup, token & ADDRESS_MASK));
  return target.what == GRAPH_LANDING
         && (uint16_t) (token >> ADDRESS_BITS) == (uint16_t) top (w)->index
         && w->graph->blocks[target.index].function == w->graph->blocks[top (w)->block].function;
}

static enum walk_step
at_exit (struct walk *w, const struct graph_block *block)
{
  if (!w->graph->functions[block->function].lands)
    return leave (w);
  if (is_dry (w))
    return WALK_DRY;
  return jumps (w) ? hear (w, true) : leave (w);
}

static enum walk_step
choose (struct walk *w)
{
  if (w->token >= w->limit.tokens)
    return WALK_DRY;
  uint64_t token = w->piece.tokens[w->token];
  uint32_t successor = GRAPH_NO_BLOCK;
  if (next_bit (w) && token >> ADDRESS_BITS == 0)
    successor = graph_successor (w->graph, top (w)->block, trace_address (&w->lookup, token));
  if (successor != GRAPH_NO_BLOCK)
    {
      take_token (w);
      return go (w, successor);
    }
  return next_bit (w) ? hear (w, true) : wrong (w, "no jump target is recorded", token);
}

/* True if the thread is in BLOCK at the limit, and has not left it since its last call: else it
   would be in front of that call again. */
static bool
has_stayed (const struct walk *w, const struct graph_block *block)
{
  uint32_t last = block->ncalls;
  const struct graph_call *calls = &w->graph->calls[block->first_call];
  if (last > 0 && calls[last - 1].final)
    last--;
  return top (w)->block == w->limit.block
         && (last == 0 || w->limit.address >= calls[last - 1].point);
}

/* Behind the last call of the top frame's block. */
static enum walk_step
at_end (struct walk *w, const struct graph_block *block)
{
  const uint32_t *ways = &w->graph->ways[block->first_way];
  bool dry = is_dry (w);
  bool stays = dry && has_stayed (w, block);
  switch ((enum graph_end) block->end)
    {
    case GRAPH_LEAVES: return stays ? WALK_DRY : at_exit (w, block);
    case GRAPH_ONE: return stays ? WALK_DRY : go (w, ways[0]);
    case GRAPH_FOREVER:
      return dry ? WALK_DRY : wrong (w, "a loop without exit is left", block->start);
    case GRAPH_BIT: return dry ? WALK_DRY : go (w, ways[piece_bit (&w->piece, w->bit++)]);
    case GRAPH_GO:
      if (dry)
        return WALK_DRY;
      if (next_bit (w))
        return hear (w, true);
      w->bit++;
      return go (w, ways[0]);
    case GRAPH_TOKEN: return dry ? WALK_DRY : choose (w);
    }
  return WALK_DRY;
}

/* True if the top frame's function may return, without a record, into block GOAL, where a frame
   below waits for a call.  The frames between them return without a record, too. */
static bool
returns_to (const struct walk *w, uint32_t goal)
{
  const struct graph *g = w->graph;
  for (size_t n = w->nframes - 1; n > 0; n--)
    {
      const struct walk_frame *frame = &w->frames[n - 1];
      if (frame->block == goal)
        return true;
      if (frame->block == GRAPH_NO_BLOCK)
        return false;
      const struct graph_block *b = &g->blocks[frame->block];
      const struct graph_call *call = &g->calls[b->first_call + frame->call];
      if (frame->call >= b->ncalls || !(call->tail || (call->final && b->nways == 0)))
        return false;
    }
  return false;
}

/* True if control can have gone from the head of the top frame's block to the block at the
   limit, without an event.  If not, the last event was the last thing before that block, and
   control is still in the trace point's code. */
static bool
has_come (const struct walk *w)
{
  const struct graph *g = w->graph;
  uint32_t goal = w->limit.block, block = top (w)->block;
  /* called, but its entry was not recorded yet */
  bool entry = g->functions[g->blocks[goal].function].first == goal;
  for (uint32_t left = g->functions[g->blocks[block].function].nblocks; left > 0; left--)
    {
      const struct graph_block *b = &g->blocks[block];
      if (block == goal)
        return true;
      if (b->ncalls > 0)
        return entry;
      if (b->end == GRAPH_LEAVES)
        return returns_to (w, goal);
      if (b->end != GRAPH_ONE || (b->lands && block != top (w)->block))
        return false;
      block = g->ways[b->first_way];
    }
  return false;
}

static enum walk_step
tell_block (struct walk *w)
{
  if (is_dry (w) && w->limit.block != GRAPH_NO_BLOCK
      && (!has_come (w) || (w->limit.uncounted && top (w)->block == w->limit.block)))
    return WALK_DRY;
  w->state = WALK_CALLS;
  return w->graph->blocks[top (w)->block].hidden ? WALK_ON : WALK_BLOCK;
}

static enum walk_step
step (struct walk *w)
{
  if (w->unheard > 0)
    return leave_unheard (w);
  if (is_lost (w))
    return wait_for_frame (w);
  if (w->state == WALK_LANDS)
    return arrive (w);
  if (w->state == WALK_HEAD)
    return tell_block (w);
  const struct graph_block *block = &w->graph->blocks[top (w)->block];
  if (top (w)->call < block->ncalls)
    return at_call (w, block, &w->graph->calls[block->first_call + top (w)->call]);
  return at_end (w, block);
}

enum walk_step
walk_next (struct walk *w)
{
  enum walk_step result;
  do
    result = step (w);
  while (result == WALK_ON);
  return result;
}

/* Chunks. */

void
walk_keep (struct walk *w, size_t frames)
{
  w->kept = frames < w->nframes ? frames : w->nframes > 0 ? w->nframes - 1 : 0;
}

void
walk_begin (struct walk *w, const struct graph *g)
{
  memset (w, 0, sizeof *w);
  w->graph = g;
}

void
walk_free (struct walk *w)
{
  free (w->frames);
  memset (w, 0, sizeof *w);
}

bool
walk_lose (struct walk *w, uint32_t depth)
{
  w->nframes = w->unheard = w->kept = 0;
  w->state = WALK_CALLS;
  for (uint32_t i = 1; i <= depth; i++)
    {
      if (!array_grow (&w->frames, w->nframes, &w->room, sizeof *w->frames))
        return false;
      w->frames[w->nframes++] = (struct walk_frame) { .block = GRAPH_NO_BLOCK, .index = i };
    }
  return true;
}

void
walk_piece (struct walk *w, const struct piece *p, const struct trace_objects *objects)
{
  w->piece = *p;
  w->lookup = (struct trace_lookup) { .objects = objects, .when = p->head->started };
  w->bit = w->token = 0;
  w->limit
      = (struct walk_limit) { .bits = p->nbits, .tokens = p->ntokens, .block = GRAPH_NO_BLOCK };
}
