/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collect/watch/events.h"
#include "collect/watch/event_polls.h"
#include "collect/watch/monitor.h"
#include "collect/watch/polls.h"
#include "collect/watch/proc.h"
#include "common/clock.h"

enum { EVENT_POLLS_RATE = 50, POLLS_RATE = 1000, IDLE_NS = 64000000 };

struct monitor {
  pid_t pid;
  int process; /* pidfd; -1: the kernel has no pidfd_open */
  bool gone;
  struct bbs_watch watch;
  struct events *events; /* by events: EVENTS and BESIDE; by polls: POLLS alone */
  struct event_polls *beside;
  struct watched first; /* polls of the threads that lived when watching began */
  struct polls *polls;
  /* By events: nanoseconds between two reads of buffers that are not half full; time of the last
     read (clock_now). */
  uint64_t round, taken;
};

static uint64_t
round_of (const struct monitor *m)
{
  return 1000000000 / m->watch.rate;
}

/* False: errno says why. */
static bool
watch_events (struct monitor *m, const struct monitor_options *options, struct error *err)
{
  struct threads threads = { .tids = NULL };
  m->watch.how = BBS_BY_EVENTS;
  m->watch.rate = options->rate ? options->rate : EVENT_POLLS_RATE;
  m->events = events_open (options->pid, options->started, EVENTS_PAGES, &threads);
  const int error = errno;
  if (m->events
      && (m->beside = event_polls_open (options->pid, options->started, m->watch.rate, err)))
    {
      for (size_t i = 0; i < threads.n; i++)
        event_polls_add (m->beside, threads.tids[i]);
      event_polls_take (m->beside, &m->first, true);
      m->watch.reasons = event_polls_reasons (m->beside);
      m->watch.time = events_begun (m->events) - options->started;
      m->round = round_of (m);
    }
  threads_free (&threads);
  return errno = error, m->beside != NULL;
}

static bool
watch_polls (struct monitor *m, const struct monitor_options *options, struct error *err)
{
  m->watch.how = BBS_BY_POLLS;
  m->watch.rate = options->rate ? options->rate : POLLS_RATE;
  m->watch.time = clock_now () - options->started;
  m->polls = polls_open (options->pid, options->started, m->watch.rate, err);
  if (m->polls)
    m->watch.reasons = polls_reasons (m->polls);
  return m->polls != NULL;
}

/* If the kernel refuses its events, /proc may still work, unless the process does not exist. */
static bool
watch (struct monitor *m, const struct monitor_options *options, struct error *err)
{
  if (options->how == BBS_BY_POLLS)
    return watch_polls (m, options, err);
  if (watch_events (m, options, err))
    return true;
  if (m->events)
    return false;
  const int refused = errno;
  if (refused == ESRCH || refused == ENOENT)
    return error_set (err, NULL, ERROR_NO_OFFSET, "there is no process %d", options->pid);
  if (options->how == BBS_BY_EVENTS)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "the kernel refuses events of context switches: %s", strerror (refused));
  m->watch.refused = (uint32_t) refused;
  return watch_polls (m, options, err);
}

struct monitor *
monitor_open (const struct monitor_options *options, struct error *err)
{
  struct monitor *m = calloc (1, sizeof *m);
  if (!m)
    return error_no_memory (err), NULL;
  *m = (struct monitor) { .pid = options->pid,
                          .process = (int) syscall (SYS_pidfd_open, options->pid, 0) };
  if (proc_is_ours (err) && watch (m, options, err))
    return m;
  monitor_close (m);
  return NULL;
}

void
monitor_close (struct monitor *m)
{
  if (!m)
    return;
  events_close (m->events);
  event_polls_close (m->beside);
  polls_close (m->polls);
  watched_free (&m->first);
  if (m->process >= 0)
    close (m->process);
  free (m);
}

const struct bbs_watch *
monitor_watch (const struct monitor *m)
{
  return &m->watch;
}

uint64_t
monitor_lost (const struct monitor *m)
{
  return m->events ? events_lost (m->events) : 0;
}

static uint64_t
earlier (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

void
monitor_wait (struct monitor *m, unsigned milliseconds)
{
  const uint64_t now = clock_now ();
  uint64_t until = now + milliseconds * 1000000UL;
  until = earlier (until, m->events ? earlier (m->taken + m->round, event_polls_due (m->beside))
                                    : polls_due (m->polls));
  const uint64_t left = until > now ? until - now : 0;
  const int process = m->gone ? -1 : m->process;
  if (m->events)
    {
      events_wait (m->events, process, left);
      return;
    }
  struct pollfd p = { .fd = process, .events = POLLIN };
  const struct timespec time
      = { .tv_sec = (time_t) (left / 1000000000), .tv_nsec = (long) (left % 1000000000) };
  ppoll (&p, 1, &time, NULL);
}

static bool
is_gone (const struct monitor *m)
{
  struct pollfd p = { .fd = m->process, .events = POLLIN };
  return m->process >= 0 ? poll (&p, 1, 0) > 0 : kill (m->pid, 0) != 0 && errno == ESRCH;
}

static bool
take_first (struct monitor *m, struct watched *w)
{
  bool good = true;
  for (size_t i = 0; i < m->first.nlooks; i++)
    good &= watched_add_look (w, &m->first.looks[i]);
  watched_free (&m->first);
  return good;
}

/* While no switches come, buffers are read less and less often: sleeps are long then, and are
   polled early enough. */
static bool
take_events (struct monitor *m, struct watched *w, bool last)
{
  const size_t before = w->nswitches;
  bool good = take_first (m, w);
  good &= events_take (m->events, w, last || m->gone);
  event_polls_switches (m->beside, w->switches + before, w->nswitches - before);
  m->taken = clock_now ();
  m->round = w->nswitches > before ? round_of (m) : earlier (2 * m->round, IDLE_NS);
  if (last || event_polls_due (m->beside) <= m->taken)
    good &= event_polls_take (m->beside, w, last);
  return good;
}

bool
monitor_take (struct monitor *m, struct watched *w, bool last)
{
  m->gone = m->gone || is_gone (m);
  const bool good = m->events ? take_events (m, w, last) : polls_take (m->polls, w, last);
  return good && !m->gone;
}
