/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the Trace Event Format of chrome://tracing and ui.perfetto.dev: one slice for each call
   of a function.  If there are too many, the shortest ones are left out. */
#include <inttypes.h>
#include <stdlib.h>

#include "common/array.h"
#include "tools/decode/trace_model.h"
#include "tools/trace/trace_emit.h"
#include "tools/view/json.h"

struct slice {
  uint64_t start, length; /* ns */
  uint32_t thread;
  uint32_t depth;
  uint32_t function;
};

/* A function that was not left yet. */
struct open_slice {
  const struct trace_block *block; /* null: unknown */
  uint64_t start;
};

struct chrome {
  struct trace_emitter base;
  struct open_slice *open; /* by depth, from 1: open[depth - 1] */
  size_t nopen, room_open;
  struct slice *slices; /* a heap until the end, with the shortest slice first */
  size_t nslices, room_slices, most;
  uint64_t dropped, longest_dropped;
  const struct trace_thread *thread;
};

/* The heap.  */

static void
swap (struct slice *a, struct slice *b)
{
  struct slice c = *a;
  *a = *b;
  *b = c;
}

static void
sift_up (struct slice *s, size_t i)
{
  for (; i > 0 && s[i].length < s[(i - 1) / 2].length; i = (i - 1) / 2)
    swap (&s[i], &s[(i - 1) / 2]);
}

static void
sift_down (struct slice *s, size_t n)
{
  for (size_t i = 0, child; (child = 2 * i + 1) < n; i = child)
    {
      child += child + 1 < n && s[child + 1].length < s[child].length;
      if (s[i].length <= s[child].length)
        return;
      swap (&s[i], &s[child]);
    }
}

static void
note_dropped (struct chrome *c, uint64_t length)
{
  c->dropped++;
  c->longest_dropped = length > c->longest_dropped ? length : c->longest_dropped;
}

static bool
add_slice (struct chrome *c, const struct slice *new)
{
  if (c->nslices < c->most)
    {
      if (!array_grow (&c->slices, c->nslices, &c->room_slices, sizeof *c->slices))
        return false;
      c->slices[c->nslices] = *new;
      sift_up (c->slices, c->nslices++);
      return true;
    }
  if (new->length <= c->slices[0].length)
    {
      note_dropped (c, new->length);
      return true;
    }
  note_dropped (c, c->slices[0].length);
  c->slices[0] = *new;
  sift_down (c->slices, c->nslices);
  return true;
}

/* Frames.  */

/* Ends the frames deeper than DEPTH. */
static bool
close_above (struct chrome *c, unsigned depth, uint64_t time)
{
  while (c->nopen > depth)
    {
      const struct open_slice *o = &c->open[--c->nopen];
      struct slice slice = { .start = o->start,
                             .length = time - o->start,
                             .thread = c->thread->number,
                             .depth = (uint32_t) c->nopen };
      if (!o->block || !trace_is_wanted (&c->base, o->block))
        continue;
      slice.function = o->block->function->number;
      if (!add_slice (c, &slice))
        return false;
    }
  return true;
}

/* Frame DEPTH belongs to BLOCK's function.  Missing frames below it are unknown. */
static bool
open_frame (struct chrome *c, unsigned depth, const struct trace_block *block, uint64_t time)
{
  while (c->nopen < depth)
    {
      if (!array_grow (&c->open, c->nopen, &c->room_open, sizeof *c->open))
        return false;
      c->open[c->nopen++] = (struct open_slice) { .start = time };
    }
  if (depth > 0 && !c->open[depth - 1].block)
    c->open[depth - 1].block = block;
  return true;
}

static bool
thread (struct trace_emitter *e, const struct trace_thread *thread)
{
  ((struct chrome *) e)->thread = thread;
  return true;
}

static bool
event (struct trace_emitter *e, const struct trace_event *ev)
{
  struct chrome *c = (struct chrome *) e;
  switch (ev->kind)
    {
    case TRACE_ENTER:
      return close_above (c, ev->depth - 1, ev->time)
             && open_frame (c, ev->depth, ev->block, ev->time);
    case TRACE_LEAVE: return close_above (c, ev->depth - 1, ev->time);
    case TRACE_LAND:
    case TRACE_RETURN:
      return close_above (c, ev->depth, ev->time) && open_frame (c, ev->depth, ev->block, ev->time);
    case TRACE_LOST:
    case TRACE_END: return close_above (c, 0, ev->time);
    case TRACE_SIGNAL_END: return close_above (c, ev->depth, ev->time);
    case TRACE_BLOCK:
    case TRACE_SIGNAL: return true;
    }
  return true;
}

/* Sorts outer slices before inner ones. */
static int
compare_slices (const void *a, const void *b, void *context)
{
  const struct slice *x = a, *y = b;
  (void) context;
  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->length != y->length)
    return x->length > y->length ? -1 : 1;
  return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void
print_threads (FILE *out, struct trace *t)
{
  const struct trace_thread *threads;
  size_t n = trace_threads (t, &threads);
  for (size_t i = 0; i < n; i++)
    {
      fprintf (out,
               "%s{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %" PRIu32
               ", \"tid\": %u, \"args\": {\"name\": ",
               i ? ",\n" : "", t->pieces.about.pid, threads[i].number);
      json_string (out, threads[i].name);
      fputs ("}}", out);
    }
}

static void
print_slice (FILE *out, struct trace *t, const struct slice *s)
{
  fprintf (out,
           ",\n{\"ph\": \"X\", \"pid\": %" PRIu32 ", \"tid\": %" PRIu32
           ", \"ts\": %.3f, \"dur\": %.3f, \"name\": ",
           t->pieces.about.pid, s->thread, (double) s->start / 1e3, (double) s->length / 1e3);
  json_string (out, trace_function (t, s->function)->name);
  fputs ("}", out);
}

static bool
end (struct trace_emitter *e, struct error *err)
{
  struct chrome *c = (struct chrome *) e;
  if (!array_sort (c->slices, c->nslices, sizeof *c->slices, compare_slices, NULL))
    return error_no_memory (err);
  fputs ("{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"program\": ", e->out);
  json_string (e->out, e->trace->pieces.program);
  if (e->window)
    fprintf (e->out, ", \"window\": %" PRIu64, e->window);
  fprintf (e->out,
           ", \"slices\": %zu, \"slices_left_out\": %" PRIu64
           ", \"longest_left_out_us\": %.3f},\n\"traceEvents\": [\n",
           c->nslices, c->dropped, (double) c->longest_dropped / 1e3);
  print_threads (e->out, e->trace);
  for (size_t i = 0; i < c->nslices; i++)
    print_slice (e->out, e->trace, &c->slices[i]);
  fputs ("\n]}\n", e->out);
  return true;
}

static void
free_chrome (struct trace_emitter *e)
{
  struct chrome *c = (struct chrome *) e;
  free (c->open);
  free (c->slices);
  free (c);
}

struct trace_emitter *
trace_emit_chrome (FILE *out, struct trace *trace, size_t most, uint64_t window)
{
  static const struct trace_format format = { thread, event, end, free_chrome };
  struct chrome *c = calloc (1, sizeof *c);
  if (!c)
    return NULL;
  c->base
      = (struct trace_emitter) { .format = &format, .out = out, .trace = trace, .window = window };
  c->most = most;
  return &c->base;
}
