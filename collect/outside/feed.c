/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "collect/outside/feed.h"
#include "common/array.h"
#include "common/clock.h"

enum { HOLD_NS = 1000000 }; /* the kernel needs that to write a record, at most */

/* A buffer, and its next record. */
struct source {
  struct attached *attached; /* for polls and losses */
  size_t cpu;
  uint64_t *record; /* RECORD_MOST bytes */
  uint64_t time;
  bool loaded;
};

struct feed {
  struct attached **attached;
  size_t nattached, room_attached;
  struct source *sources;
  size_t n, room;
  struct pollfd *polled;
  uint64_t until;      /* records that are younger are held back */
  struct source *last; /* the one whose record was given out */
};

struct feed *
feed_new (void)
{
  return calloc (1, sizeof (struct feed));
}

void
feed_free (struct feed *f)
{
  for (size_t i = 0; f && i < f->n; i++)
    free (f->sources[i].record);
  for (size_t i = 0; f && i < f->nattached; i++)
    {
      detach (f->attached[i]);
      free (f->attached[i]);
    }
  if (f)
    {
      free (f->attached);
      free (f->sources);
      free (f->polled);
    }
  free (f);
}

static struct attached_cpu *
cpu_of (const struct source *s)
{
  return &s->attached->cpus[s->cpu];
}

/* False: out of memory. */
static bool
add_sources (struct feed *f, struct attached *a)
{
  for (size_t i = 0; i < a->ncpus; i++)
    {
      if (!a->cpus[i].buffer.page)
        continue;
      uint64_t *record = malloc (RECORD_MOST);
      if (!record || !array_grow (&f->sources, f->n, &f->room, sizeof *f->sources))
        return free (record), errno = ENOMEM, false;
      f->sources[f->n++] = (struct source) { .attached = a, .cpu = i, .record = record };
    }
  free (f->polled);
  f->polled = calloc (f->n + 1, sizeof *f->polled);
  return f->polled || (errno = ENOMEM, false);
}

bool
feed_attach (struct feed *f, pid_t pid, const struct perf_event_attr *events, size_t n,
             size_t pages, struct threads *threads)
{
  struct attached *a = calloc (1, sizeof *a);
  if (!a || !array_grow (&f->attached, f->nattached, &f->room_attached, sizeof *f->attached))
    return free (a), errno = ENOMEM, false;
  *a = (struct attached) { .pid = pid, .events = events, .nevents = n, .pages = pages };
  if (!attach (a, threads))
    return free (a), false;
  f->attached[f->nattached++] = a;
  return add_sources (f, a);
}

/* As events_wait: an event whose threads have ended is always readable. */
void
feed_wait (struct feed *f, unsigned milliseconds)
{
  for (size_t i = 0; i < f->n; i++)
    {
      const struct attached_cpu *c = cpu_of (&f->sources[i]);
      f->polled[i]
          = (struct pollfd) { .fd = c->polled < c->n ? c->fds[c->polled] : -1, .events = POLLIN };
    }
  if (poll (f->polled, (nfds_t) f->n, (int) milliseconds) <= 0)
    return;
  for (size_t i = 0; i < f->n; i++)
    if (f->polled[i].revents & (POLLHUP | POLLERR))
      cpu_of (&f->sources[i])->polled++;
}

static void
load (struct source *s)
{
  struct bbp_event_buffer *b = &cpu_of (s)->buffer;
  s->loaded = bbp_event_buffer_next (b, s->record, RECORD_MOST);
  bbp_event_buffer_end (b);
  if (s->loaded)
    s->time = record_time (s->record);
}

void
feed_begin (struct feed *f, bool last)
{
  f->until = last ? UINT64_MAX : clock_now () - HOLD_NS;
  for (size_t i = 0; i < f->n; i++)
    {
      bbp_event_buffer_begin (&cpu_of (&f->sources[i])->buffer);
      if (!f->sources[i].loaded)
        load (&f->sources[i]);
    }
}

uint64_t
feed_until (const struct feed *f)
{
  return f->until;
}

bool
feed_next (struct feed *f, struct outside_record *r)
{
  struct source *first = NULL;
  if (f->last)
    load (f->last);
  f->last = NULL;
  for (size_t i = 0; i < f->n; i++)
    if (f->sources[i].loaded && (!first || f->sources[i].time < first->time))
      first = &f->sources[i];
  if (!first || first->time > f->until)
    return false;
  record_read (r, first->record);
  if (r->kind == OUTSIDE_LOST)
    cpu_of (first)->lost += r->lost;
  f->last = first;
  return true;
}

uint64_t
feed_dropped (const struct feed *f)
{
  uint64_t dropped = 0;
  for (size_t i = 0; i < f->n; i++)
    dropped += attach_dropped (f->sources[i].attached, f->sources[i].cpu);
  return dropped;
}
