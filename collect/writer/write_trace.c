/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a trace.  What is in the shared memory when the process ends is written, too. */
#include <stdlib.h>
#include <string.h>

#include "collect/writer/trace_gather.h"
#include "collect/writer/shared.h"
#include "collect/writer/write.h"
#include "common/clock.h"

enum { AGE_MOST_MS = 1000, WAIT_MS = 100 };

/* A piece to be written. */
struct waiting {
  struct bbq_piece *piece;
  uint32_t stream, sequence;
  bool in_use;
};

struct writer {
  struct shared shared;
  struct trace_out out;
  struct trace_gather collection;
  struct shared_copy copy;
  struct waiting *waiting;    /* room for all pieces */
  uint32_t objects;           /* objects in the file */
  bool unloaded[BBQ_OBJECTS]; /* and reported as unloaded */
};

/* The process's description of itself and its objects. */

/* Writes FIXED, then N bytes, then STRING of at most MOST bytes, terminated. */
static void
write_words (struct writer *w, uint32_t type, const void *fixed, size_t size, const void *bytes,
             size_t n, const char *string)
{
  char content[sizeof (struct bbt_object) + 64 + 4096 + 1];
  size_t length = strlen (string) + 1;
  memcpy (content, fixed, size);
  memcpy (content + size, bytes, n);
  memcpy (content + size + n, string, length);
  trace_out_chunk (&w->out, type, content, size + n + length);
}

static void
write_run (struct writer *w)
{
  struct bbq_head *head = w->shared.head;
  struct bbt_run run = { .started = head->started, .window = head->window, .pid = head->pid };
  head->program[sizeof head->program - 1] = '\0';
  write_words (w, BBT_TYPE_RUN, &run, sizeof run, "", 0, head->program);
}

static void
write_object (struct writer *w, uint32_t number)
{
  struct bbq_object *from = &w->shared.head->object[number];
  from->path[sizeof from->path - 1] = '\0';
  struct bbt_object o = { .bias = from->bias,
                          .start = from->start,
                          .end = from->end,
                          .loaded = from->loaded,
                          .unloaded = from->unloaded,
                          .number = number,
                          .build_id_bytes = from->build_id_bytes,
                          .path_bytes = (uint32_t) strlen (from->path) + 1 };
  if (o.build_id_bytes > sizeof from->build_id)
    o.build_id_bytes = sizeof from->build_id;
  w->unloaded[number] = o.unloaded != 0;
  write_words (w, BBT_TYPE_OBJECT, &o, sizeof o, from->build_id, o.build_id_bytes, from->path);
}

static void
write_objects (struct writer *w)
{
  uint32_t n = atomic_load_explicit (&w->shared.head->objects, memory_order_acquire);
  for (uint32_t i = 0; i < n && i < BBQ_OBJECTS; i++)
    if (i >= w->objects || (!w->unloaded[i] && w->shared.head->object[i].unloaded))
      write_object (w, i);
  w->objects = n;
}

/* Pieces. */

static int
by_stream (const void *pa, const void *pb)
{
  const struct waiting *a = pa, *b = pb;
  if (a->stream != b->stream)
    return a->stream < b->stream ? -1 : 1;
  return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* Lists the full pieces, and at an ENDING those in use, ordered by stream and age.  With a window
   full pieces stay with the process until an ending. */
static size_t
list_pieces (struct writer *w, bool ending)
{
  size_t n = 0;
  for (size_t i = 0; i < w->shared.pieces; i++)
    {
      struct bbq_piece *p = shared_piece (&w->shared, i);
      uint32_t state = atomic_load_explicit (&p->state, memory_order_acquire);
      if ((state == BBQ_FULL && !w->shared.head->window) || (state != BBQ_FREE && ending))
        w->waiting[n++] = (struct waiting) { p, p->stream, p->sequence, state == BBQ_USED };
    }
  qsort (w->waiting, n, sizeof *w->waiting, by_stream);
  return n;
}

static void
take (struct writer *w, const struct waiting *p)
{
  if (!p->in_use && !shared_claim (p->piece))
    return;
  bool there = shared_copy (p->piece, p->in_use, &w->copy);
  if (!p->in_use)
    shared_free (&w->shared, p->piece);
  if (there)
    trace_gather_add (&w->collection, &w->copy, clock_now ());
}

/* Objects first: they are older than the records that refer to them. */
static size_t
take_pieces (struct writer *w, bool ending)
{
  size_t n = list_pieces (w, ending);
  write_objects (w);
  for (size_t i = 0; i < n; i++)
    take (w, &w->waiting[i]);
  return n;
}

static void
finish (struct writer *w)
{
  const struct bbx_loss losses[]
      = { { atomic_load (&w->shared.head->lost_pieces), BBT_LOST_PIECES },
          { w->collection.lost, BBT_LOST_FILE } };
  trace_out_finish (&w->out, losses, sizeof losses / sizeof *losses);
}

static void
report_failure (struct writer *w)
{
  if (w->out.error)
    atomic_store (&w->shared.head->failed, (uint32_t) w->out.error);
}

/* Serves the process until it has ended. */
static void
serve (struct writer *w)
{
  struct bbq_head *head = w->shared.head;
  for (;;)
    {
      unsigned seen = atomic_load (&head->submitted);
      bool gone = process_is_gone (&w->shared.process);
      unsigned ending = atomic_load (&head->ending);
      size_t n = take_pieces (w, gone || ending);
      uint64_t now = clock_now ();
      trace_gather_flush (&w->collection,
                          gone || ending ? UINT64_MAX : now - AGE_MOST_MS * 1000000UL);
      if (gone || ending == 1)
        finish (w);
      report_failure (w);
      if (ending)
        shared_end (&w->shared, ending);
      if (gone || ending == 1)
        return;
      if (n == 0 && !ending)
        shared_wait (&w->shared, seen, WAIT_MS);
    }
}

static bool
begin (struct writer *w, int fd)
{
  if (!shared_open (&w->shared, fd))
    return false;
  w->waiting = calloc (w->shared.pieces + 1, sizeof *w->waiting);
  w->shared.head->path[sizeof w->shared.head->path - 1] = '\0';
  trace_out_open (&w->out, w->shared.head->path, BBT_MAGIC, BBT_VERSION, w->shared.head->run);
  if (!w->waiting || !trace_gather_begin (&w->collection, &w->out))
    return false;
  write_run (w);
  return true;
}

bool
write_trace (int fd)
{
  static struct writer writer;
  if (!begin (&writer, fd))
    return false;
  serve (&writer);
  return true;
}
