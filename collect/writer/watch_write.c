/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/streams/watched_pack.h"
#include "collect/watch/monitor.h"
#include "collect/writer/watch_write.h"
#include "common/clock.h"

/* Records that fill a chunk. */
enum { SWITCHES = 16384, LOOKS = 4096, NAMES = 256, MARKS = 256, CALLS = 16384 };

void
watch_begin (struct watch_writer *w, struct bbs_head *head, struct packer *packer,
             struct trace_out *out)
{
  const struct monitor_options options
      = { .pid = (pid_t) head->pid,
          .started = head->started,
          .how = head->timeline == BBS_TIMELINE_POLLS ? BBS_BY_POLLS : BBS_BY_NOTHING };
  *w = (struct watch_writer) { .head = head,
                               .marks = { .queue = &head->marks.queue, .slots = BBS_MARKS },
                               .calls = { .queue = &head->mpi_calls, .slots = BBS_MPI_CALLS },
                               .waits = head->waits,
                               .packer = packer,
                               .out = out };
  w->monitor = monitor_open (&options, &w->why);
  atomic_store (&head->watches, 1);
  syscall (SYS_futex, &head->watches, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void
watch_wait (struct watch_writer *w, unsigned milliseconds)
{
  monitor_wait (w->monitor, milliseconds);
}

/* Writes CONTENT as a chunk.  False: it is lost. */
static bool
write_content (struct watch_writer *w, uint32_t type)
{
  trace_out_chunk (w->out, type, w->content.data, w->content.size);
  w->content.size = 0;
  return !w->out->error;
}

static void
write_switches (struct watch_writer *w)
{
  for (size_t i = 0, n; i < w->seen.nswitches; i += n)
    {
      n = w->seen.nswitches - i < BBS_CHUNK_MOST ? w->seen.nswitches - i : BBS_CHUNK_MOST;
      if (w->out->error || !switches_pack (w->packer, w->seen.switches + i, n, &w->content)
          || !write_content (w, BBS_TYPE_SWITCHES))
        w->lost_file += n;
    }
}

/* Writes the locks of N polls.  The chunk of the polls was written just before. */
static void
write_locks (struct watch_writer *w, const struct bbs_look *looks, size_t n)
{
  const size_t locks = locks_count (looks, n);
  if (locks > 0
      && (!locks_pack (w->packer, looks, n, &w->content) || !write_content (w, BBS_TYPE_LOCKS)))
    w->lost_file += locks;
}

static void
write_looks (struct watch_writer *w)
{
  for (size_t i = 0, n; i < w->seen.nlooks; i += n)
    {
      n = w->seen.nlooks - i < BBS_LOOKS_MOST ? w->seen.nlooks - i : BBS_LOOKS_MOST;
      if (w->out->error || !polls_pack (w->packer, w->seen.looks + i, n, &w->content)
          || !write_content (w, BBS_TYPE_LOOKS))
        w->lost_file += n;
      else
        write_locks (w, w->seen.looks + i, n);
    }
}

static void
write_names_and_marks (struct watch_writer *w)
{
  if (w->seen.nnames)
    trace_out_chunk (w->out, BBS_TYPE_NAMES, w->seen.names, w->seen.nnames * sizeof *w->seen.names);
  if (w->seen.nmarks)
    trace_out_chunk (w->out, BBS_TYPE_MARKS, w->seen.marks, w->seen.nmarks * sizeof *w->seen.marks);
  if (w->out->error)
    w->lost_marks += w->seen.nmarks;
}

static void
write_calls (struct watch_writer *w)
{
  for (size_t i = 0, n; i < w->seen.nmpi_calls; i += n)
    {
      n = w->seen.nmpi_calls - i < BBS_CHUNK_MOST ? w->seen.nmpi_calls - i : BBS_CHUNK_MOST;
      if (w->out->error || !mpi_calls_pack (w->packer, w->seen.mpi_calls + i, n, &w->content)
          || !write_content (w, BBS_TYPE_MPI_CALLS))
        w->lost_calls += n;
    }
}

static void
write_waits (struct watch_writer *w)
{
  for (size_t i = 0; i < BBS_WAITS; i++)
    if (w->waits[i].tid)
      trace_out_chunk (w->out, BBS_TYPE_WAITS, &w->waits[i], sizeof w->waits[i]);
}

/* Writes how the threads are watched; this chunk precedes what was observed. */
static void
write_watch (struct watch_writer *w)
{
  const struct bbs_watch *watch = w->monitor ? monitor_watch (w->monitor) : &w->written;
  const size_t text = w->monitor ? 0 : strlen (w->why.text);
  if (w->is_written && memcmp (&w->written, watch, sizeof *watch) == 0)
    return;
  w->is_written = bytes_reserve (&w->content, sizeof *watch + text);
  if (!w->is_written)
    return;
  w->written = *watch;
  bytes_put (&w->content, &w->written, sizeof w->written);
  bytes_put (&w->content, w->why.text, text);
  write_content (w, BBS_TYPE_WATCH);
}

/* Writes all that was observed, in order of time, as chunks require.  Without memory for the sort
   it is lost. */
static void
write_seen (struct watch_writer *w)
{
  write_watch (w);
  if (watched_sort (&w->seen))
    {
      write_switches (w);
      write_looks (w);
      write_names_and_marks (w);
      write_calls (w);
    }
  else
    {
      w->lost_file += w->seen.nswitches + w->seen.nlooks;
      w->lost_marks += w->seen.nmarks;
      w->lost_calls += w->seen.nmpi_calls;
    }
  watched_clear (&w->seen);
}

static bool
is_empty (const struct watched *seen)
{
  return seen->nswitches + seen->nlooks + seen->nnames + seen->nmarks + seen->nmpi_calls == 0;
}

static bool
is_full (const struct watched *seen)
{
  return seen->nswitches >= SWITCHES || seen->nlooks >= LOOKS || seen->nnames >= NAMES
         || seen->nmarks >= MARKS || seen->nmpi_calls >= CALLS;
}

/* The monitor counts its own losses; one that has failed has nothing more to take. */
void
watch_take (struct watch_writer *w, uint64_t before, bool last)
{
  const bool was_empty = is_empty (&w->seen);
  if (w->monitor)
    monitor_take (w->monitor, &w->seen, last);
  const uint64_t now = clock_now ();
  program_marks_take (&w->marks, w->head, &w->seen, now, last);
  program_calls_take (&w->calls, w->head, &w->seen, now, last);
  if (was_empty)
    w->since = now;
  if (last || is_full (&w->seen) || (w->since < before && !is_empty (&w->seen)))
    write_seen (w);
  if (last)
    write_waits (w);
}

size_t
watch_losses (const struct watch_writer *w, struct bbx_loss losses[WATCH_LOSSES])
{
  const uint64_t marks = atomic_load (&w->marks.queue->lost) + w->marks.lost + w->lost_marks,
                 calls = atomic_load (&w->calls.queue->lost) + w->calls.lost + w->lost_calls;
  losses[0] = (struct bbx_loss) { w->monitor ? monitor_lost (w->monitor) : 0, BBS_LOST_SWITCHES };
  losses[1] = (struct bbx_loss) { w->lost_file, BBS_LOST_WATCHED };
  losses[2] = (struct bbx_loss) { marks, BBS_LOST_MARKS };
  losses[3] = (struct bbx_loss) { calls, BBS_LOST_MPI_CALLS };
  return WATCH_LOSSES;
}
