/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor watches the process beside the samples, by events of its own; what it sees stays in
   memory until the profile is written. */
#include "config.h"

#include <stdlib.h>

#include "collect/outside/switch_times.h"
#include "collect/streams/watched.h"
#include "collect/streams/watched_pack.h"
#include "collect/watch/monitor.h"

/* Switches and polls, at most; further ones are lost. */
enum { MOST = 8 << 20 };

struct switch_times {
  struct monitor *monitor;
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
switch_times_take (struct process *p, bool last)
{
  struct switch_times *s = p->switches;
  if (!s || !s->monitor)
    return;
  if (s->seen.nswitches + s->seen.nlooks < MOST)
    monitor_take (s->monitor, &s->seen, last);
  else
    s->lost++;
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
