/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out which streams are threads, which are signal handlers, and where the handlers belong. */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "tools/decode/trace_model.h"

static const struct bbt_piece *
first_head (const struct trace *t, size_t stream)
{
  return &t->pieces.streams[stream].entries[0].head;
}

static bool
has_stream (const struct trace *t, uint32_t number)
{
  size_t before = ARRAY_BEFORE (i, t->pieces.nstreams, t->pieces.streams[i].number < number);
  return before < t->pieces.nstreams && t->pieces.streams[before].number == number
         && t->pieces.streams[before].nentries > 0;
}

/* True if STREAM is of a handler and its parent stream is in the file.  A handler without its
   parent counts as a thread. */
static bool
is_handler (const struct trace *t, size_t stream)
{
  const struct bbt_piece *head = first_head (t, stream);
  return head->parent != 0 && head->parent < head->stream && has_stream (t, head->parent);
}

static uint64_t
since_start (const struct trace *t, uint64_t time)
{
  return time > t->pieces.about.started ? time - t->pieces.about.started : 0;
}

static void
add_thread (struct trace *t, uint32_t stream)
{
  const struct pieces_stream *s = &t->pieces.streams[stream];
  const struct bbt_piece *head = &s->entries[0].head, *last = &s->entries[s->nentries - 1].head;
  t->threads[t->nthreads]
      = (struct trace_thread) { .number = (unsigned) t->nthreads,
                                .tid = (int) head->tid,
                                .name = last->name,
                                .start = since_start (t, head->started),
                                .end = since_start (t, last->ended ? last->ended : last->started) };
  t->thread_streams[t->nthreads++] = stream;
}

static void
add_handler (struct trace *t, uint32_t stream)
{
  const struct bbt_piece *head = first_head (t, stream);
  t->handlers[t->nhandlers++]
      = (struct trace_handler) { .parent = head->parent,
                                 .sequence = head->parent_sequence,
                                 .bits = (uint64_t) head->parent_words * 64 + head->parent_rest,
                                 .tokens = head->parent_tokens,
                                 .stream = stream };
}

static int
compare_handlers (const void *a, const void *b, void *context)
{
  const struct trace_handler *x = a, *y = b;
  (void) context;
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  if (x->sequence != y->sequence)
    return x->sequence < y->sequence ? -1 : 1;
  return x->bits < y->bits ? -1 : x->bits > y->bits;
}

/* Measured in the longest chunk. */
static void
find_rate (struct trace *t)
{
  uint64_t longest = 0;
  for (size_t i = 0; i < t->pieces.nstreams; i++)
    for (size_t k = 0; k < t->pieces.streams[i].nentries; k++)
      {
        const struct bbt_piece *head = &t->pieces.streams[i].entries[k].head;
        if (head->ended <= head->started || head->ended_tsc <= head->started_tsc
            || head->ended - head->started <= longest)
          continue;
        longest = head->ended - head->started;
        t->rate = (double) longest / (double) (head->ended_tsc - head->started_tsc);
      }
}

bool
trace_streams_find (struct trace *t)
{
  size_t n = t->pieces.nstreams + 1;
  t->threads = calloc (n, sizeof *t->threads);
  t->thread_streams = calloc (n, sizeof *t->thread_streams);
  t->handlers = calloc (n, sizeof *t->handlers);
  if (!t->threads || !t->thread_streams || !t->handlers)
    return false;
  for (uint32_t i = 0; i < t->pieces.nstreams; i++)
    if (t->pieces.streams[i].nentries == 0)
      continue;
    else if (is_handler (t, i))
      add_handler (t, i);
    else
      add_thread (t, i);
  find_rate (t);
  return array_sort (t->handlers, t->nhandlers, sizeof *t->handlers, compare_handlers, NULL);
}
