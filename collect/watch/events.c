/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of one processor come by time, but another processor may still deliver an earlier
   one.  So a round takes the time, then reads all buffers, and passes on the records that are
   older than that time by more than the kernel needs to write a record (HOLD_NS). */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collect/watch/attach.h"
#include "collect/watch/events.h"
#include "collect/watch/thread_table.h"
#include "common/array.h"
#include "common/clock.h"
#include "runtime/switches/kernel_records.h"

enum { HOLD_NS = 1000000 };

struct events {
  pid_t pid;
  uint64_t started, begun;
  struct perf_event_attr switches;
  struct attached attached;
  struct pollfd *polled; /* one for each processor, and one for the caller's descriptor */
  struct thread_table known;
  struct bbp_record *held;
  size_t nheld, room;
  uint64_t told; /* time of the last record that was passed on */
  uint64_t lost;
};

/* The threads that lived when watching began. */
static bool
know_threads (struct events *e, const struct threads *threads)
{
  for (size_t i = 0; i < threads->n; i++)
    {
      struct thread_entry *k = thread_table_add (&e->known, threads->tids[i]);
      if (!k)
        return errno = ENOMEM, false;
      threads_name (e->pid, k->tid, k->name);
      if (!array_grow (&e->held, e->nheld, &e->room, sizeof *e->held))
        return errno = ENOMEM, false;
      struct bbp_record *r = &e->held[e->nheld++];
      *r = (struct bbp_record) { .time = e->begun, .tid = k->tid, .kind = BBP_RECORD_NAME };
      memcpy (r->name, k->name, sizeof r->name);
    }
  return true;
}

struct events *
events_open (pid_t pid, uint64_t started, size_t pages, struct threads *threads)
{
  struct events *e = calloc (1, sizeof *e);
  if (!e)
    return NULL;
  *e = (struct events) { .pid = pid, .started = started, .switches = bbp_switch_event () };
  e->attached
      = (struct attached) { .pid = pid, .events = &e->switches, .nevents = 1, .pages = pages };
  if (!attach (&e->attached, threads))
    return free (e), NULL;
  e->begun = e->told = clock_now ();
  e->polled = calloc (e->attached.ncpus + 1, sizeof *e->polled);
  if (e->polled && know_threads (e, threads))
    return e;
  events_close (e);
  return errno = ENOMEM, NULL;
}

void
events_close (struct events *e)
{
  if (!e)
    return;
  detach (&e->attached);
  thread_table_free (&e->known);
  free (e->polled);
  free (e->held);
  free (e);
}

uint64_t
events_begun (const struct events *e)
{
  return e->begun;
}

uint64_t
events_lost (const struct events *e)
{
  return e->lost;
}

/* An event is always readable after its thread and all threads that inherited it have ended: then
   the next event of that processor is polled. */
bool
events_wait (struct events *e, int other, uint64_t nanoseconds)
{
  const size_t n = e->attached.ncpus;
  const struct timespec time = { .tv_sec = (time_t) (nanoseconds / 1000000000),
                                 .tv_nsec = (long) (nanoseconds % 1000000000) };
  for (size_t i = 0; i < n; i++)
    {
      const struct attached_cpu *c = &e->attached.cpus[i];
      e->polled[i]
          = (struct pollfd) { .fd = c->polled < c->n ? c->fds[c->polled] : -1, .events = POLLIN };
    }
  e->polled[n] = (struct pollfd) { .fd = other, .events = POLLIN };
  if (ppoll (e->polled, (nfds_t) n + 1, &time, NULL) <= 0)
    return false;
  for (size_t i = 0; i < n; i++)
    if (e->polled[i].revents & (POLLHUP | POLLERR))
      e->attached.cpus[i].polled++;
  return e->polled[n].revents != 0;
}

static bool
hold (struct events *e, const struct bbp_record *r)
{
  if (!array_grow (&e->held, e->nheld, &e->room, sizeof *r))
    return false;
  e->held[e->nheld++] = *r;
  return true;
}

/* Reads the records in the buffer of CPU; with LAST also counts those that were dropped. */
static bool
read_buffer (struct events *e, size_t cpu, bool last)
{
  struct attached_cpu *c = &e->attached.cpus[cpu];
  uint64_t bytes[BBP_RECORD_BYTES / sizeof (uint64_t)];
  struct bbp_record r;
  bool good = true;
  if (!c->buffer.page)
    return true;
  bbp_event_buffer_begin (&c->buffer);
  while (good && bbp_event_buffer_next (&c->buffer, bytes, sizeof bytes))
    if (bbp_record_decode (&r, bytes, e->pid, (uint16_t) cpu))
      {
        c->lost += r.kind == BBS_GAP ? r.tid : 0;
        good = hold (e, &r);
      }
  bbp_event_buffer_end (&c->buffer);
  const uint64_t dropped = last ? attach_dropped (&e->attached, cpu) : 0;
  if (good && dropped > 0)
    {
      r = (struct bbp_record) {
        .time = clock_now (), .tid = (uint32_t) dropped, .cpu = (uint16_t) cpu, .kind = BBS_GAP
      };
      c->lost += dropped;
      good = hold (e, &r);
    }
  return good;
}

static bool
tell (struct events *e, struct watched *w, const struct bbp_record *r, uint32_t tid,
      enum bbs_switch_kind kind)
{
  const struct bbs_switch s
      = { .time = e->told - e->started, .tid = tid, .cpu = r->cpu, .kind = (uint16_t) kind };
  return watched_add_switch (w, &s);
}

/* A thread that began while events were opened may have each event twice: each of its records
   comes twice, from the same processor. */
static bool
is_echo (const struct events *e, const struct thread_entry *k, const struct bbp_record *r)
{
  const bool in = r->kind == BBS_IN, was_in = k->last == BBS_IN;
  return e->attached.twice && k->last != BBS_SWITCH_KINDS && in == was_in && k->cpu == r->cpu;
}

/* A new thread has its maker's name; if the maker is unknown, the first thread's. */
static bool
tell_birth (struct events *e, struct watched *w, const struct bbp_record *r)
{
  if (e->attached.twice && thread_table_find (&e->known, r->tid))
    return true;
  struct thread_entry *k = thread_table_add (&e->known, r->tid);
  const struct thread_entry *parent = thread_table_find (&e->known, r->parent);
  if (!k)
    return false;
  if (!parent)
    parent = thread_table_find (&e->known, (uint32_t) e->pid);
  k->last = BBS_SWITCH_KINDS;
  if (parent && parent != k)
    memcpy (k->name, parent->name, sizeof k->name);
  return tell (e, w, r, r->tid, BBS_BORN)
         && watched_add_name (w, e->told - e->started, r->tid, k->name);
}

static bool
tell_death (struct events *e, struct watched *w, const struct bbp_record *r, uint32_t tid)
{
  if (e->attached.twice && !thread_table_find (&e->known, tid))
    return true;
  thread_table_remove (&e->known, tid);
  return tell (e, w, r, tid, BBS_DIED);
}

/* A thread that calls exec gets the tid of the first thread, after that one and all others have
   ended. */
static bool
tell_rebirth (struct events *e, struct watched *w, const struct bbp_record *r)
{
  for (size_t i = 0; i < e->known.room;)
    if (e->known.slots[i].tid == 0 || e->known.slots[i].tid == r->tid)
      i++;
    else if (!tell_death (e, w, r, e->known.slots[i].tid))
      return false;
  return tell_birth (e, w, r);
}

/* The thread's begin record is missing: it was lost, or an exec made it the first thread. */
static bool
tell_unknown (struct events *e, struct watched *w, const struct bbp_record *r)
{
  return r->tid == (uint32_t) e->pid ? tell_rebirth (e, w, r) : tell_birth (e, w, r);
}

static bool
tell_switch (struct events *e, struct watched *w, const struct bbp_record *r)
{
  struct thread_entry *k = thread_table_find (&e->known, r->tid);
  if (!k && (!tell_unknown (e, w, r) || !(k = thread_table_find (&e->known, r->tid))))
    return false;
  if (is_echo (e, k, r))
    return true;
  k->last = r->kind;
  k->cpu = r->cpu;
  return tell (e, w, r, r->tid, r->kind);
}

static bool
tell_name (struct events *e, struct watched *w, const struct bbp_record *r)
{
  struct thread_entry *k = thread_table_add (&e->known, r->tid);
  if (!k)
    return false;
  memcpy (k->name, r->name, sizeof k->name);
  return watched_add_name (w, e->told - e->started, r->tid, r->name);
}

/* There may be no switch of it since it became the first thread. */
static bool
tell_exec (struct events *e, struct watched *w, const struct bbp_record *r)
{
  struct bbp_record in = *r;
  in.kind = BBS_IN;
  return (thread_table_find (&e->known, r->tid) || tell_switch (e, w, &in)) && tell_name (e, w, r);
}

/* After a loss it is unknown which thread runs where. */
static bool
tell_gap (struct events *e, struct watched *w, const struct bbp_record *r)
{
  e->lost += r->tid;
  for (size_t i = 0; i < e->known.room; i++)
    e->known.slots[i].last = BBS_SWITCH_KINDS;
  return tell (e, w, r, r->tid, BBS_GAP);
}

static bool
tell_record (struct events *e, struct watched *w, const struct bbp_record *r)
{
  switch (r->kind)
    {
    case BBS_BORN: return tell_birth (e, w, r);
    case BBS_DIED: return tell_death (e, w, r, r->tid);
    case BBS_GAP: return tell_gap (e, w, r);
    case BBP_RECORD_NAME: return tell_name (e, w, r);
    case BBP_RECORD_EXEC: return tell_exec (e, w, r);
    default: return tell_switch (e, w, r);
    }
}

/* Some threads had events before others.  Switches before all had theirs are left out, and so are
   births of threads that were found; other births are not. */
static bool
is_too_early (const struct events *e, const struct bbp_record *r)
{
  const bool is_switch = r->kind == BBS_IN || r->kind == BBS_OUT_SLEEPS || r->kind == BBS_OUT_READY;
  return r->time < e->begun
         && (is_switch || (r->kind == BBS_BORN && thread_table_find (&e->known, r->tid)));
}

/* RECORDS are N.  Context: cold. */
static void
uncross (const struct events *e, struct bbp_record *records, size_t n)
{
  const struct thread_entry *k = thread_table_find (&e->known, records->tid);
  if (k && k->last == BBS_IN)
    bbp_records_uncross (records, n, k->cpu);
}

bool
events_take (struct events *e, struct watched *w, bool last)
{
  const uint64_t before = clock_now () - HOLD_NS;
  bool good = true;
  for (size_t i = 0; good && i < e->attached.ncpus; i++)
    good = read_buffer (e, i, last);
  good = good
         && array_sort_by_number (e->held, e->nheld, sizeof *e->held,
                                  offsetof (struct bbp_record, time));
  size_t n = 0;
  for (; good && n < e->nheld && (last || e->held[n].time < before); n++)
    {
      const struct bbp_record *r = &e->held[n];
      uncross (e, &e->held[n], e->nheld - n);
      e->told = r->time > e->told ? r->time : e->told;
      good = is_too_early (e, r) || tell_record (e, w, r);
    }
  e->nheld -= n;
  memmove (e->held, e->held + n, e->nheld * sizeof *e->held);
  return good;
}
