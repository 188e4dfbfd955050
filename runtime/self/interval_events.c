/* SPDX-License-Identifier: MIT */
/* Intervals by the kernel's records of context switches: an event on each thread and processor,
   with a buffer of its own; threads that are made later inherit it.  A mapping keeps the event, so
   no descriptor stays open.  The kernel does not map such events of all processors at once.

      The buffers are read in the order of the records' times.  A record that another processor
   still writes may be older than those that are there; so the youngest ones stay in the buffers. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/base/task.h"
#include "runtime/self/intervals.h"
#include "runtime/switches/event_buffer.h"
#include "runtime/switches/kernel_records.h"

/* Pages of the calling thread's buffers, which threads inherit that it makes; of others'. */
enum { PAGES = 32, PAGES_OF_OTHERS = 4 };
enum { HOLD_NS = 1000000, ROUNDS = 16 };

struct ring {
  struct bbp_event_buffer buffer;
  struct bbp_record next; /* the oldest record; valid while IS_NEXT */
  uint64_t next_at;       /* where it begins */
  uint64_t last;          /* time of the record before */
  int cpu;
  bool is_next;
};

static struct {
  struct ring *ring;
  size_t n, room;
  int ncpus, pid;
  enum bbp_event_form form;
  uint64_t begun, told;
  int error; /* of an attempt to attach, -errno */
  bool found;
  bool lost; /* records are lost, perhaps of the ends of threads */
} events;

/* The highest number in "0-3" or "0,2-3", plus 1; 0: it cannot be read. */
static int
count_processors (void)
{
  char text[256];
  long fd = bbp_sys_openat (AT_FDCWD, "/sys/devices/system/cpu/possible", O_RDONLY | O_CLOEXEC, 0);
  long n = fd < 0 ? 0 : bbp_sys_read ((int) fd, text, sizeof text - 1);
  const char *last = text;
  if (fd >= 0)
    bbp_sys_close ((int) fd);
  text[n > 0 ? n : 0] = '\0';
  for (const char *p = text; *p; p++)
    if (*p == '-' || *p == ',')
      last = p + 1;
  return n > 0 ? (int) bbp_task_number (last) + 1 : 0;
}

static bool
make_room (void)
{
  enum { FIRST_ROOM = 64 };
  size_t room = events.room ? 2 * events.room : FIRST_ROOM;
  if (events.n < events.room)
    return true;
  struct ring *more = bbp_pages_map (room * sizeof *more);
  if (!more)
    return false;
  bbp_copy_bytes (more, events.ring, events.n * sizeof *more);
  bbp_pages_unmap (events.ring, events.room * sizeof *more);
  events.ring = more;
  events.room = room;
  return true;
}

/* A descriptor, or -errno. */
static long
open_event (int tid, int cpu)
{
  for (;; events.form++)
    {
      struct perf_event_attr event = bbp_switch_event ();
      bbp_event_reduce (&event, events.form);
      long fd = bbp_sys_perf_event_on (&event, tid, cpu);
      if (fd != -EINVAL || events.form + 1 == BBP_EVENT_FORMS)
        return fd;
    }
}

static int
attach_on (int tid, int cpu, size_t pages)
{
  long fd = open_event (tid, cpu);
  if (fd < 0)
    return (int) fd;
  int error = make_room () ? 0 : -ENOMEM;
  struct ring *ring = &events.ring[events.n];
  if (!error)
    {
      *ring = (struct ring) { .cpu = cpu };
      error = bbp_event_buffer_map (&ring->buffer, (int) fd, pages);
    }
  bbp_sys_close ((int) fd);
  events.n += !error;
  return error;
}

/* A processor that is off, or a thread that has ended meanwhile, is no error. */
static int
attach (int tid, size_t pages)
{
  for (int cpu = 0; cpu < events.ncpus; cpu++)
    {
      int error = attach_on (tid, cpu, pages);
      if (error && error != -ENODEV)
        return error == -ESRCH ? 0 : error;
    }
  return 0;
}

/* Called with each thread in /proc. */
static void
attach_new (int tid, void *own)
{
  if (events.error || bbp_intervals_of (tid, false))
    return;
  events.found = true;
  events.error = attach (tid, tid == *(int *) own ? PAGES : PAGES_OF_OTHERS);
  struct bbp_intervals *t
      = bbp_intervals_add (tid, bbp_clock_now (), BBPROF_UNKNOWN, BBPROF_BY_EVENTS);
  if (!t)
    events.error = -ENOMEM;
  else
    t->fresh = true;
}

/* Threads that have no event yet may make others meanwhile. */
static int
attach_all (void)
{
  uint64_t room[128];
  int own = bbp_sys_gettid ();
  events.found = true;
  for (int round = 0; events.found && !events.error && round < ROUNDS; round++)
    {
      events.found = false;
      long error = bbp_task_all (attach_new, &own, room, sizeof room);
      if (error)
        return (int) error;
    }
  return events.error ? events.error : events.n ? 0 : -ENODEV;
}

/* All events are there: what the thread does now.  Whether it runs or is ready, its next record
   says. */
static void
begin (struct bbp_intervals *t, uint64_t time)
{
  int cpu;
  bool own = t->tid == bbp_sys_gettid ();
  char state = own ? 'R' : bbp_interval_state (t->tid, &cpu);
  struct bbprof_interval *now = bbp_intervals_now (t);
  now->begin = now->end = time;
  now->state = own ? BBPROF_RUNNING : state && state != 'R' ? BBPROF_SLEEPING : BBPROF_UNKNOWN;
}

int
bbp_interval_events_start (void)
{
  events.pid = bbp_sys_getpid ();
  events.ncpus = count_processors ();
  events.error = 0;
  events.lost = false;
  events.form = BBP_EVENT_ALL;
  int error = events.ncpus ? attach_all () : -ENOENT;
  if (error)
    {
      bbp_interval_events_stop ();
      return error;
    }
  events.begun = events.told = bbp_sys_nanoseconds (CLOCK_MONOTONIC);
  bbp_intervals_each (begin, events.begun);
  return 0;
}

void
bbp_interval_events_stop (void)
{
  for (size_t i = 0; i < events.n; i++)
    bbp_event_buffer_unmap (&events.ring[i].buffer);
  bbp_interval_events_forget ();
}

void
bbp_interval_events_forget (void)
{
  bbp_pages_unmap (events.ring, events.room * sizeof *events.ring);
  events.ring = NULL;
  events.n = events.room = 0;
}

/* Reads the next record that is needed. */
static void
advance (struct ring *ring)
{
  uint64_t bytes[BBP_RECORD_BYTES / sizeof (uint64_t)];
  do
    {
      ring->next_at = ring->buffer.tail;
      ring->is_next = bbp_event_buffer_next (&ring->buffer, bytes, sizeof bytes);
  } while (ring->is_next
           && !bbp_record_decode (&ring->next, bytes, events.pid, (uint16_t) ring->cpu));
}

static struct ring *
oldest (void)
{
  struct ring *oldest = NULL;
  for (struct ring *ring = events.ring; ring < events.ring + events.n; ring++)
    if (ring->is_next && (!oldest || ring->next.time < oldest->next.time))
      oldest = ring;
  return oldest;
}

/* The begin or end of a turn on CPU.  A thread that moves may seem to begin on its new processor
   before it ends on the old one, whose record is ignored then.  So are second records, of threads
   that were found while events were opened. */
static void
follow_switch (struct bbp_intervals *t, const struct bbp_record *r)
{
  struct bbprof_interval *now = bbp_intervals_now (t);
  bool fresh = t->fresh;
  t->fresh = false;
  if (r->kind == BBS_IN)
    {
      bbp_intervals_change (t, r->time, BBPROF_RUNNING, r->cpu);
      return;
    }
  if (fresh)
    {
      now->state = BBPROF_RUNNING;
      now->cpu = r->cpu;
    }
  if (now->state == BBPROF_UNKNOWN || (now->state == BBPROF_RUNNING && now->cpu == r->cpu))
    bbp_intervals_change (t, r->time, r->kind == BBS_OUT_READY ? BBPROF_READY : BBPROF_SLEEPING,
                          -1);
}

/* Switches are lost, of any thread, since the buffer's last record. */
static void
forget (struct bbp_intervals *t, uint64_t since)
{
  bbp_intervals_change (t, since, BBPROF_UNKNOWN, -1);
  t->fresh = false;
}

/* A record of a thread that has ended by a record of another processor. */
static bool
is_late (const struct bbp_record *r)
{
  enum { DIFFERENCE_NS = 100000 }; /* of two processors' clocks, at most */
  struct bbp_intervals *ended = bbp_intervals_of ((int) r->tid, true);
  return ended && r->time < bbp_intervals_now (ended)->end + DIFFERENCE_NS;
}

static void
end_if_gone (struct bbp_intervals *t, uint64_t time)
{
  if (bbp_sys_tgkill (events.pid, t->tid, 0) == -ESRCH)
    bbp_intervals_end (t, time);
}

static void
follow (const struct ring *ring, const struct bbp_record *r)
{
  struct bbp_intervals *t = bbp_intervals_of ((int) r->tid, false);
  switch (r->kind)
    {
    case BBS_GAP:
      bbp_intervals_each (forget, ring->last);
      events.lost = true;
      break;
    case BBS_BORN:
      if (!t)
        bbp_intervals_add ((int) r->tid, r->time, BBPROF_READY, BBPROF_BY_EVENTS);
      break;
    case BBS_DIED:
      if (t)
        bbp_intervals_end (t, r->time);
      break;
    case BBS_IN:
    case BBS_OUT_SLEEPS:
    case BBS_OUT_READY:
      if (!t && !is_late (r))
        t = bbp_intervals_add ((int) r->tid, r->time, BBPROF_UNKNOWN, BBPROF_BY_EVENTS);
      if (t && r->time >= events.begun)
        follow_switch (t, r);
      break;
    }
}

uint64_t
bbp_interval_events_take (void)
{
  const uint64_t before = bbp_sys_nanoseconds (CLOCK_MONOTONIC) - HOLD_NS;
  for (struct ring *ring = events.ring; ring < events.ring + events.n; ring++)
    {
      bbp_event_buffer_begin (&ring->buffer);
      advance (ring);
    }
  for (struct ring *ring; (ring = oldest ()) && ring->next.time < before;)
    {
      follow (ring, &ring->next);
      ring->last = ring->next.time;
      advance (ring);
    }
  for (struct ring *ring = events.ring; ring < events.ring + events.n; ring++)
    {
      if (ring->is_next)
        ring->buffer.tail = ring->next_at;
      bbp_event_buffer_end (&ring->buffer);
    }
  events.told = before > events.told ? before : events.told;
  if (events.lost)
    bbp_intervals_each (end_if_gone, events.told);
  events.lost = false;
  return events.told;
}
