/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Produces a thread's events: decodes its stream chunk by chunk, and the streams of signal
   handlers where these interrupted it. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/decode/trace_checkpoint.h"
#include "tools/decode/trace_clock.h"
#include "tools/decode/trace_model.h"
#include "tools/decode/trace_walk.h"

/* One stream in the stack of streams: the thread's, then that of a handler that interrupted it,
   and so on. */
struct level {
  const struct pieces_stream *stream;
  struct pieces_loader *loader;
  struct walk walk;
  struct trace_clock clock;
  size_t next_piece;   /* entries[...] */
  size_t next_handler; /* index of trace.handlers[...]: the next one to enter */
  bool loaded;         /* inside a chunk */
  bool lost;           /* skip chunks up to one that says where control is */
};

struct trace_cursor {
  struct trace *trace;
  uint32_t stream;      /* the thread's */
  struct level *levels; /* the thread's first */
  size_t nlevels, room_levels;
  /* Number of levels with a loader.  Those of left streams are kept for the next stream there,
     because the pieces of many handlers are in one group. */
  size_t nloaders;
  bool ended; /* TRACE_END was returned */
  uint64_t number, time;
  char why[200];
  struct checkpoints checkpoints;
  const struct trace_block **stack; /* for trace_stack */
  size_t room_stack;
};

static struct level *
top (const struct trace_cursor *c)
{
  return &c->levels[c->nlevels - 1];
}

/* Levels.  */

static size_t
first_handler (const struct trace *t, uint32_t stream)
{
  return ARRAY_BEFORE (i, t->nhandlers, t->handlers[i].parent < stream);
}

static bool
enter_stream (struct trace_cursor *c, uint32_t stream)
{
  if (!array_grow (&c->levels, c->nlevels, &c->room_levels, sizeof *c->levels))
    return false;
  struct level *l = &c->levels[c->nlevels];
  struct pieces_loader *loader = c->nlevels < c->nloaders ? l->loader
                                                          : pieces_loader_new (&c->trace->pieces);
  if (!loader)
    return false;
  memset (l, 0, sizeof *l);
  l->loader = loader;
  l->stream = &c->trace->pieces.streams[stream];
  l->next_handler = first_handler (c->trace, l->stream->number);
  walk_begin (&l->walk, &c->trace->graph);
  c->nlevels++;
  if (c->nloaders < c->nlevels)
    c->nloaders = c->nlevels;
  return true;
}

static void
leave_stream (struct trace_cursor *c)
{
  struct level *l = top (c);
  walk_free (&l->walk);
  trace_clock_free (&l->clock);
  c->nlevels--;
}

/* Events.  */

static const struct trace_block *
public_block (const struct trace_cursor *c, uint32_t block)
{
  return block == GRAPH_NO_BLOCK ? NULL : &c->trace->blocks[block];
}

static const struct trace_block *
current_block (const struct trace_cursor *c)
{
  const struct walk *w = &top (c)->walk;
  return w->nframes ? public_block (c, w->frames[w->nframes - 1].block) : NULL;
}

static unsigned
depth (const struct trace_cursor *c)
{
  size_t n = 0;
  for (size_t i = 0; i < c->nlevels; i++)
    n += c->levels[i].walk.nframes;
  return (unsigned) n;
}

static void
tell (struct trace_cursor *c, struct trace_event *ev, enum trace_kind kind,
      const struct trace_block *block)
{
  struct level *l = top (c);
  if (l->loaded)
    {
      uint64_t time = trace_clock_at (&l->clock, l->walk.bit);
      c->time = time > c->time ? time : c->time;
    }
  *ev = (struct trace_event) {
    .kind = kind, .block = block, .depth = depth (c), .number = c->number, .time = c->time
  };
}

/* The rest of the stream cannot be used, up to a chunk that tells the position of control. */
static void
lose (struct level *l)
{
  walk_lose (&l->walk, 0);
  l->loaded = false;
  l->lost = true;
}

static void
tell_wrong (struct trace_cursor *c, struct trace_event *ev, const char *why)
{
  struct level *l = top (c);
  tell (c, ev, TRACE_LOST, NULL);
  lose (l);
  snprintf (c->why, sizeof c->why, "stream %u: lost in piece %u, %s", l->stream->number,
            l->stream->entries[l->next_piece - 1].head.sequence, why);
  ev->why = c->why;
}

/* Handlers.  */

/* The next handler that interrupted the top stream at or before BIT of chunk SEQUENCE; or null. */
static const struct trace_handler *
due_handler (const struct trace_cursor *c, uint32_t sequence, uint64_t bit)
{
  const struct level *l = top (c);
  const struct trace_handler *h = &c->trace->handlers[l->next_handler];
  if (l->next_handler == c->trace->nhandlers || h->parent != l->stream->number
      || h->sequence > sequence || (h->sequence == sequence && h->bits > bit))
    return NULL;
  return h;
}

static bool
tell_handler (struct trace_cursor *c, struct trace_event *ev, const struct trace_handler *h)
{
  top (c)->next_handler++;
  tell (c, ev, TRACE_SIGNAL, current_block (c));
  return enter_stream (c, h->stream);
}

/* The block that contains PC, as chunks say it; GRAPH_NO_BLOCK: unknown, or no traced code. */
static uint32_t
block_at (const struct trace_cursor *c, uint64_t pc)
{
  if (!pc)
    return GRAPH_NO_BLOCK;
  return trace_block_at (c->trace, trace_address (&top (c)->walk.lookup, pc & ~BBT_UNCOUNTED));
}

/* Where control is at the end of the chunk P, or where the handler H, if there is one, interrupts
   it; 0: unknown.  Only the end says whether its block was counted.  A handler there in the same
   block has interrupted the same execution, which it may have left by a jump. */
static uint64_t
limit_pc (const struct trace_cursor *c, const struct piece *p, const struct trace_handler *h)
{
  const uint64_t end = p->head->end == BBT_END_PC ? p->head->pc : 0;
  if (!h)
    return end;
  const uint64_t pc = c->trace->pieces.streams[h->stream].entries[0].head.parent_pc;
  return end && h->bits == p->nbits && block_at (c, pc) == block_at (c, end) ? end : pc;
}

/* How far the chunk may be walked: to the next handler, or to its end. */
static void
set_limit (struct trace_cursor *c)
{
  struct level *l = top (c);
  const struct piece *p = &l->walk.piece;
  const struct trace_handler *h = due_handler (c, p->head->sequence, p->nbits);
  const uint64_t pc = limit_pc (c, p, h);
  struct walk_limit limit = { .bits = p->nbits, .tokens = p->ntokens, .block = block_at (c, pc) };
  if (h)
    {
      limit.bits = h->bits;
      limit.tokens = h->tokens < p->ntokens ? h->tokens : p->ntokens;
    }
  limit.uncounted = pc & BBT_UNCOUNTED;
  if (pc)
    limit.address = trace_address (&l->walk.lookup, pc & ~BBT_UNCOUNTED);
  l->walk.limit = limit;
}

/* Chunks. */

/* Does the next chunk continue where the last one ended? */
static bool
goes_on (const struct level *l)
{
  const struct pieces_entry *next = &l->stream->entries[l->next_piece];
  return !l->lost && l->next_piece > 0 && next[-1].head.sequence + 1 == next->head.sequence;
}

enum reading { READ_OK, READ_LOST, READ_SKIPPED, READ_FAILED };

/* Prepares the walk for the start of a chunk.  READ_SKIPPED: the chunk cannot be used. */
static enum reading
start_piece (struct level *l, const struct bbt_piece *head)
{
  bool on = goes_on (l);
  if (head->start == BBT_START_NEXT && !on)
    return READ_SKIPPED;
  if (head->start == BBT_START_STREAM)
    return walk_lose (&l->walk, 0) ? READ_OK : READ_FAILED;
  if (head->start != BBT_START_LOST && on)
    return READ_OK;
  return walk_lose (&l->walk, head->depth) ? READ_LOST : READ_FAILED;
}

/* Loads the chunk and prepares the walk for it. */
static enum reading
load_piece (struct trace_cursor *c, struct error *err)
{
  struct level *l = top (c);
  const struct pieces_entry *entry = &l->stream->entries[l->next_piece];
  struct piece piece;
  enum reading result = start_piece (l, &entry->head);
  l->next_piece++;
  if (result == READ_SKIPPED)
    return result;
  error_no_memory (err);
  if (result == READ_FAILED || !pieces_load (l->loader, entry, &piece, err)
      || !trace_clock_set (&l->clock, &piece, c->trace->pieces.about.started, c->trace->rate))
    return READ_FAILED;
  walk_piece (&l->walk, &piece, &c->trace->mappings);
  l->loaded = true;
  set_limit (c);
  return result;
}

/* Checkpoints.  */

/* The thread's stream is in front of a chunk: adds a checkpoint. */
static void
note_checkpoint (struct trace_cursor *c)
{
  struct level *l = &c->levels[0];
  struct walk *w = &l->walk;
  if (c->nlevels != 1)
    return;
  struct checkpoint point = { .number = c->number,
                              .time = c->time,
                              .next_piece = l->next_piece,
                              .next_handler = l->next_handler,
                              .lost = l->lost,
                              .state = w->state,
                              .frames = w->frames,
                              .nframes = w->nframes,
                              .shared = w->kept };
  walk_keep (w, checkpoints_note (&c->checkpoints, &point));
}

static bool
restart (struct trace_cursor *c)
{
  while (c->nlevels > 0)
    leave_stream (c);
  c->number = c->time = 0;
  c->ended = false;
  return enter_stream (c, c->stream);
}

/* Continues after restart. */
static bool
take_over (struct trace_cursor *c, const struct checkpoint *point)
{
  struct level *l = top (c);
  struct walk *w = &l->walk;
  while (w->room < point->nframes)
    if (!array_grow (&w->frames, w->room, &w->room, sizeof *w->frames))
      return false;
  checkpoints_frames (point, w->frames);
  w->nframes = point->nframes;
  w->state = point->state;
  l->next_piece = point->next_piece;
  l->next_handler = point->next_handler;
  l->lost = point->lost;
  c->number = point->number;
  c->time = point->time;
  return true;
}

/* Between chunks. */

static void
tell_end (struct trace_cursor *c, struct trace_event *ev)
{
  const struct level *l = top (c);
  uint32_t end = l->stream->entries[l->stream->nentries - 1].head.end;
  if (c->nlevels == 1)
    {
      tell (c, ev, TRACE_END, current_block (c));
      ev->cut = end == BBT_END_NOT || end == BBT_END_NEXT;
      c->ended = true;
      return;
    }
  leave_stream (c);
  tell (c, ev, TRACE_SIGNAL_END, current_block (c));
  ev->cut = end != BBT_END_STREAM;
  if (top (c)->loaded)
    set_limit (c);
}

/* True: EV is filled in. */
static bool
next_piece (struct trace_cursor *c, struct trace_event *ev)
{
  struct level *l = top (c);
  struct error err;
  bool told = l->lost;
  note_checkpoint (c);
  switch (load_piece (c, &err))
    {
    case READ_OK: l->lost = false; return false;
    case READ_LOST: l->lost = false; break;
    case READ_SKIPPED: lose (l); break;
    case READ_FAILED: tell_wrong (c, ev, err.text); return true;
    }
  if (!told)
    tell (c, ev, TRACE_LOST, NULL);
  return !told;
}

/* The top stream has no chunk, or its chunk is used up.  True: EV is filled in. */
static bool
between_pieces (struct trace_cursor *c, struct trace_event *ev)
{
  const struct level *l = top (c);
  bool last = l->next_piece == l->stream->nentries;
  uint32_t sequence = last ? UINT32_MAX : l->stream->entries[l->next_piece].head.sequence;
  const struct trace_handler *h = sequence > 0 ? due_handler (c, sequence - 1, UINT64_MAX) : NULL;
  if (h)
    {
      if (!tell_handler (c, ev, h))
        tell_wrong (c, ev, "out of memory");
      return true;
    }
  if (!last)
    return next_piece (c, ev);
  tell_end (c, ev);
  return true;
}

/* The walk may continue.  True: EV is filled in. */
static bool
at_limit (struct trace_cursor *c, struct trace_event *ev)
{
  struct level *l = top (c);
  const struct walk *w = &l->walk;
  const struct piece *p = &w->piece;
  const struct trace_handler *h = due_handler (c, p->head->sequence, w->limit.bits);
  if (h)
    {
      if (!tell_handler (c, ev, h))
        tell_wrong (c, ev, "out of memory");
      return true;
    }
  if ((w->bit < p->nbits || w->token < p->ntokens) && p->head->end != BBT_END_NOT)
    {
      tell_wrong (c, ev, w->bit < p->nbits ? "a token is missing" : "tokens are left over");
      return true;
    }
  l->loaded = false;
  return false;
}

/* Interface. */

struct trace_cursor *
trace_begin (struct trace *t, unsigned thread)
{
  struct trace_cursor *c = calloc (1, sizeof *c);
  if (!c)
    return NULL;
  c->trace = t;
  c->stream = t->thread_streams[thread];
  checkpoints_begin (&c->checkpoints);
  if (enter_stream (c, c->stream))
    return c;
  trace_cursor_free (c);
  return NULL;
}

void
trace_cursor_free (struct trace_cursor *c)
{
  while (c->nlevels > 0)
    leave_stream (c);
  while (c->nloaders > 0)
    pieces_loader_free (c->levels[--c->nloaders].loader);
  checkpoints_free (&c->checkpoints);
  free (c->levels);
  free (c->stack);
  free (c);
}

/* Turns STEP of the walk into an event; false: there is none. */
static bool
tell_step (struct trace_cursor *c, struct trace_event *ev, enum walk_step step)
{
  const struct walk *w = &top (c)->walk;
  switch (step)
    {
    case WALK_BLOCK:
      tell (c, ev, TRACE_BLOCK, current_block (c));
      c->number++;
      return true;
    case WALK_LONE:
      tell (c, ev, TRACE_BLOCK, public_block (c, w->left));
      ev->depth++;
      c->number++;
      return true;
    case WALK_ENTER: tell (c, ev, TRACE_ENTER, current_block (c)); return true;
    case WALK_LEAVE:
      tell (c, ev, TRACE_LEAVE, public_block (c, w->left));
      ev->depth++;
      return true;
    case WALK_LAND: tell (c, ev, TRACE_LAND, current_block (c)); return true;
    case WALK_RETURN: tell (c, ev, TRACE_RETURN, current_block (c)); return true;
    case WALK_WRONG: tell_wrong (c, ev, w->why); return true;
    case WALK_NO_MEMORY: tell_wrong (c, ev, "out of memory"); return true;
    case WALK_DRY: return at_limit (c, ev);
    }
  return false;
}

bool
trace_next (struct trace_cursor *c, struct trace_event *ev)
{
  if (c->ended)
    return false;
  bool told;
  do
    told = top (c)->loaded ? tell_step (c, ev, walk_next (&top (c)->walk)) : between_pieces (c, ev);
  while (!told);
  return true;
}

/* Seeking. */

static bool
go_back (struct trace_cursor *c, const struct checkpoint *point)
{
  return restart (c) && (!point || take_over (c, point));
}

bool
trace_seek_block (struct trace_cursor *c, uint64_t number)
{
  struct trace_event ev;
  const struct checkpoint *point = checkpoints_find (&c->checkpoints, number, UINT64_MAX);
  bool behind = c->ended || number <= c->number;
  if ((behind || (point && point->number > c->number)) && !go_back (c, point))
    return false;
  while (c->number < number)
    if (!trace_next (c, &ev))
      return false;
  return true;
}

/* The time of an event is known only after it was read, so this reads too far and goes back. */
bool
trace_seek_time (struct trace_cursor *c, uint64_t ns)
{
  struct trace_event ev = { 0 };
  const struct checkpoint *point = checkpoints_find (&c->checkpoints, UINT64_MAX, ns);
  uint64_t number = point ? point->number : 0, events = 0; /* events since block NUMBER - 1 */
  if (!trace_seek_block (c, number))
    return false;
  while (trace_next (c, &ev) && ev.time < ns)
    {
      events = c->number == number ? events + 1 : 0;
      number = c->number;
    }
  if (ev.time < ns || !trace_seek_block (c, number))
    return false;
  while (events-- > 0)
    trace_next (c, &ev);
  return true;
}

uint64_t
trace_position (const struct trace_cursor *c)
{
  return c->number;
}

size_t
trace_stack (const struct trace_cursor *c, const struct trace_block *const **frames)
{
  struct trace_cursor *own = (struct trace_cursor *) c;
  size_t n = 0;
  for (size_t i = 0; i < c->nlevels; i++)
    for (size_t k = 0; k < c->levels[i].walk.nframes; k++)
      if (array_grow (&own->stack, n, &own->room_stack, sizeof *own->stack))
        own->stack[n++] = public_block (c, c->levels[i].walk.frames[k].block);
  *frames = c->stack;
  return n;
}
