/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <limits.h>
#include <stdlib.h>

#include "common/array.h"
#include "tools/report/caller_shares_trace.h"

#define NOT_KNOWN UINT_MAX

/* An active call. */
struct frame {
  unsigned function; /* of the trace, or NOT_KNOWN */
  bool outermost;    /* no frame below is of this function */
  bool root;         /* the first frame of a signal handler: the frame below did not call it */
  /* It made a tail call.  The frame above replaced it; its cost is added to this frame. */
  bool gone;
  struct caller_share cost; /* so far, with that of calls that ended */
};

/* State of one thread. */
struct walk {
  struct caller_shares *shares;
  const struct caller_share_lookup *lookup;
  uint32_t *nodes;  /* of each function of the trace: its index in the profile */
  double *samples;  /* of each block: samples of one execution */
  uint32_t *active; /* of each function: its active frames */
  struct frame *frames;
  size_t nframes, room;
  size_t depth; /* frames that are not `gone' */
  /* block from which the top frame left, if the next event shows whether by a tail call;
     or null */
  const struct trace_block *leaves;
  bool handler; /* the next frame is the first one of a signal handler */
};

static uint32_t
node_of (const struct walk *w, const struct frame *f)
{
  return f->function == NOT_KNOWN ? CALLER_UNKNOWN : w->nodes[f->function];
}

/* The top frame ended, or its further course is unknown: adds its cost so far to its caller. */
static bool
pop (struct walk *w)
{
  const struct frame *f = &w->frames[--w->nframes];
  struct frame *caller = w->nframes > 0 && !f->root ? &w->frames[w->nframes - 1] : NULL;
  if (caller)
    {
      caller->cost.executions += f->cost.executions;
      caller->cost.samples += f->cost.samples;
    }
  if (f->function == NOT_KNOWN)
    return true;
  w->active[f->function]--;
  return !f->outermost || node_of (w, f) == CALLER_UNKNOWN
         || caller_shares_add (w->shares, caller ? node_of (w, caller) : CALLER_UNKNOWN,
                               node_of (w, f), &f->cost);
}

static bool
push (struct walk *w)
{
  if (!array_grow (&w->frames, w->nframes, &w->room, sizeof *w->frames))
    return false;
  w->frames[w->nframes++] = (struct frame) { .function = NOT_KNOWN, .root = w->handler };
  w->handler = false;
  return true;
}

/* Adds or removes frames until there are DEPTH of them. */
static bool
set_depth (struct walk *w, size_t depth)
{
  bool ok = true;
  for (; ok && w->depth > depth; w->depth--)
    {
      ok = pop (w);
      while (ok && w->nframes > 0 && w->frames[w->nframes - 1].gone)
        ok = pop (w);
    }
  for (; ok && w->depth < depth; w->depth++)
    ok = push (w);
  return ok;
}

/* The event E after a frame's exit shows whether that was a tail call. */
static bool
settle (struct walk *w, const struct trace_event *e)
{
  const struct trace_block *from = w->leaves;
  w->leaves = NULL;
  if (!from)
    return true;
  if (e->kind != TRACE_ENTER || e->depth != w->depth
      || !w->lookup->is_tail_call (w->lookup->context, from, e->block->function))
    return set_depth (w, w->depth - 1);
  w->frames[w->nframes - 1].gone = true;
  w->depth--;
  return true;
}

/* Executes BLOCK in the top frame.  It may be the first block that is seen of the frame. */
static void
execute (struct walk *w, const struct trace_block *block)
{
  struct frame *f = &w->frames[w->nframes - 1];
  if (f->function == NOT_KNOWN)
    {
      f->function = block->function->number;
      f->outermost = w->active[f->function]++ == 0;
    }
  f->cost.executions++;
  f->cost.samples += w->samples[block->number];
}

static bool
follow (struct walk *w, const struct trace_event *e)
{
  switch (e->kind)
    {
    case TRACE_ENTER:
    case TRACE_RETURN: /* of an unknown frame, or of one on another stack */
      return set_depth (w, e->depth - 1) && set_depth (w, e->depth);
    case TRACE_LEAVE: w->leaves = e->block; return set_depth (w, e->depth);
    case TRACE_BLOCK:
      if (!set_depth (w, e->depth))
        return false;
      if (e->depth > 0)
        execute (w, e->block);
      return true;
    case TRACE_SIGNAL_END: w->handler = false; return set_depth (w, e->depth);
    case TRACE_LAND: return set_depth (w, e->depth);
    case TRACE_LOST:
    case TRACE_END: return set_depth (w, 0);
    case TRACE_SIGNAL: w->handler = true; return true;
    }
  return true;
}

static bool
walk_thread (struct walk *w, struct trace *trace, unsigned thread, uint64_t *executed)
{
  struct trace_event e;
  struct trace_cursor *c = trace_begin (trace, thread);
  bool ok = c != NULL;
  while (ok && trace_next (c, &e))
    {
      ok = settle (w, &e) && follow (w, &e);
      *executed += e.kind == TRACE_BLOCK;
    }
  trace_cursor_free (c);
  return ok;
}

static bool
prepare (struct walk *w, const struct trace *trace)
{
  size_t nfunctions = trace_functions (trace);
  w->nodes = malloc ((nfunctions + 1) * sizeof *w->nodes);
  w->active = calloc (nfunctions + 1, sizeof *w->active);
  w->samples = malloc ((trace_blocks (trace) + 1) * sizeof *w->samples);
  if (!w->nodes || !w->active || !w->samples)
    return false;
  for (unsigned i = 0; i < nfunctions; i++)
    {
      const struct trace_function *f = trace_function (trace, i);
      w->nodes[i] = w->lookup->node (w->lookup->context, f);
      for (unsigned k = 0; k < f->nblocks; k++)
        w->samples[f->blocks[k].number] = w->lookup->samples (w->lookup->context, &f->blocks[k]);
    }
  return true;
}

bool
caller_shares_add_trace (struct caller_shares *shares, struct trace *trace,
                         const struct caller_share_lookup *lookup, uint64_t *executed)
{
  const struct trace_thread *threads;
  size_t n = trace_threads (trace, &threads);
  struct walk w = { .shares = shares, .lookup = lookup };
  bool ok = prepare (&w, trace);
  for (size_t i = 0; ok && i < n; i++)
    ok = walk_thread (&w, trace, threads[i].number, &executed[i]);
  free (w.nodes);
  free (w.samples);
  free (w.active);
  free (w.frames);
  return ok;
}
