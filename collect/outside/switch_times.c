/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor watches the process beside the samples, by events of its own, and polls wait reasons;
   what it sees stays in memory until the profile is written.  A process that begins while its maker
   is sampled gets a monitor when it has lived for a while; its switches until then are among the
   records of the samples' events.  Short processes have only these. */
#include "config.h"

#include <stdlib.h>

#include "collect/outside/switch_times.h"
#include "collect/streams/watched.h"
#include "collect/streams/watched_pack.h"
#include "collect/watch/monitor.h"
#include "common/clock.h"

enum {
  MOST = 8 << 20,     /* switches and polls; further ones are lost */
  YOUNG_NS = 20000000 /* so long a process lives without a monitor */
};

struct switch_times {
  struct monitor *monitor; /* null: none yet; or the process has ended, or cannot be watched */
  bool young;              /* it may get a monitor */
  uint64_t fed_until;      /* clock_now: records from before are added */
  struct watched seen;
  struct bbs_watch watch;
  uint64_t lost;
};

bool
switch_times_begin (struct process *p, struct error *err)
{
  const struct monitor_options options = { .pid = p->pid, .started = p->began };
  p->switches = calloc (1, sizeof *p->switches);
  if (!p->switches)
    return error_no_memory (err);
  p->switches->monitor = monitor_open (&options, err);
  if (p->switches->monitor)
    return true;
  switch_times_end (p);
  return false;
}

void
switch_times_begin_new (struct process *p)
{
  p->switches = calloc (1, sizeof *p->switches);
  if (p->switches)
    *p->switches = (struct switch_times) { .young = true,
                                           .fed_until = UINT64_MAX,
                                           .watch = { .how = BBS_BY_EVENTS } };
}

/* Gives a process a monitor that has just lived long enough. */
static void
grow_up (struct process *p)
{
  struct switch_times *s = p->switches;
  const struct monitor_options options
      = { .pid = p->pid, .started = p->began, .how = BBS_BY_EVENTS };
  struct error none;
  if (!s->young || clock_now () - p->began < YOUNG_NS)
    return;
  s->young = false;
  s->monitor = monitor_open (&options, &none);
  if (!s->monitor)
    return;
  s->watch = *monitor_watch (s->monitor);
  s->fed_until = p->began + s->watch.time;
  s->watch.time = 0;
}

/* The kind of a record that is a switch; BBS_SWITCH_KINDS: it is none, or an echo: a thread that
   began while events were opened may have two, and each record twice. */
static enum bbs_switch_kind
kind_of (const struct outside_record *r, const struct process_thread *t)
{
  switch (r->kind)
    {
    case OUTSIDE_IN: return t->state == THREAD_ON ? BBS_SWITCH_KINDS : BBS_IN;
    case OUTSIDE_OUT:
      return t->state == THREAD_OFF ? BBS_SWITCH_KINDS
             : r->preempted         ? BBS_OUT_READY
                                    : BBS_OUT_SLEEPS;
    case OUTSIDE_FORK: return BBS_BORN;
    case OUTSIDE_EXEC: return BBS_IN;
    case OUTSIDE_EXIT: return BBS_DIED;
    case OUTSIDE_LOST: return BBS_GAP;
    default: return BBS_SWITCH_KINDS;
    }
}

void
switch_times_add (struct process *p, const struct process_thread *t, const struct outside_record *r)
{
  struct switch_times *s = p->switches;
  if (!s || r->time >= s->fed_until)
    return;
  const enum bbs_switch_kind kind = kind_of (r, t);
  const struct bbs_switch record = { .time = r->time > p->began ? r->time - p->began : 0,
                                     .tid = t ? r->tid : (uint32_t) r->lost,
                                     .cpu = (uint16_t) r->cpu,
                                     .kind = (uint16_t) kind };
  if (kind == BBS_SWITCH_KINDS)
    return;
  s->lost += t ? 0 : r->lost;
  if (s->seen.nswitches >= MOST || !watched_add_switch (&s->seen, &record))
    s->lost++;
  if (r->kind == OUTSIDE_FORK || r->kind == OUTSIDE_EXEC)
    watched_add_name (&s->seen, record.time, r->tid, t->name);
}

void
switch_times_take (struct process *p, bool last)
{
  struct switch_times *s = p->switches;
  if (!s)
    return;
  if (!last)
    grow_up (p);
  s->young &= !last;
  if (!s->monitor)
    return;
  if (s->seen.nswitches + s->seen.nlooks < MOST)
    monitor_take (s->monitor, &s->seen, last);
  else
    s->lost++;
  if (s->fed_until == 0)
    s->watch = *monitor_watch (s->monitor);
  if (!last)
    return;
  s->lost += monitor_lost (s->monitor);
  monitor_close (s->monitor);
  s->monitor = NULL;
}

uint64_t
switch_times_lost (const struct process *p)
{
  return p->switches ? p->switches->lost : 0;
}

void
switch_times_end (struct process *p)
{
  if (!p->switches)
    return;
  monitor_close (p->switches->monitor);
  watched_free (&p->switches->seen);
  free (p->switches);
  p->switches = NULL;
}

static bool
write_switches (const struct watched *w, struct packer *packer, struct trace_out *out)
{
  bool good = true;
  for (size_t i = 0, n; good && i < w->nswitches; i += n)
    {
      struct bytes content = { .data = NULL };
      n = w->nswitches - i < BBS_CHUNK_MOST ? w->nswitches - i : BBS_CHUNK_MOST;
      good = switches_pack (packer, w->switches + i, n, &content);
      if (good)
        trace_out_chunk (out, BBS_TYPE_SWITCHES, content.data, content.size);
      bytes_free (&content);
    }
  return good;
}

/* N polls, and the chunk of their locks, if they have any, behind them. */
static bool
write_some_looks (const struct bbs_look *looks, size_t n, struct packer *packer,
                  struct trace_out *out)
{
  struct bytes content = { .data = NULL }, locks = { .data = NULL };
  const bool has_locks = locks_count (looks, n) > 0,
             good = polls_pack (packer, looks, n, &content)
                    && (!has_locks || locks_pack (packer, looks, n, &locks));
  if (good)
    trace_out_chunk (out, BBS_TYPE_LOOKS, content.data, content.size);
  if (good && has_locks)
    trace_out_chunk (out, BBS_TYPE_LOCKS, locks.data, locks.size);
  bytes_free (&content);
  bytes_free (&locks);
  return good;
}

static bool
write_looks (const struct watched *w, struct packer *packer, struct trace_out *out)
{
  bool good = true;
  for (size_t i = 0, n; good && i < w->nlooks; i += n)
    {
      n = w->nlooks - i < BBS_LOOKS_MOST ? w->nlooks - i : BBS_LOOKS_MOST;
      good = write_some_looks (w->looks + i, n, packer, out);
    }
  return good;
}

bool
switch_times_write (const struct process *p, struct packer *packer, struct trace_out *out)
{
  struct switch_times *s = p->switches;
  if (!s)
    return true;
  trace_out_chunk (out, BBS_TYPE_WATCH, &s->watch, sizeof s->watch);
  bool good = watched_sort (&s->seen) && write_switches (&s->seen, packer, out)
              && write_looks (&s->seen, packer, out);
  if (good && s->seen.nnames > 0)
    trace_out_chunk (out, BBS_TYPE_NAMES, s->seen.names, s->seen.nnames * sizeof *s->seen.names);
  return good && !out->error;
}
