/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the times of samples, the states of threads if the process wants them, and what it says of
   code that it generates.  Empties the rings, takes the records of the monitor, and writes records
   that fill a chunk, or are old.  At the end of the process it writes the rest. */
#include "collect/writer/doorbell.h"
#include "collect/writer/generated_write.h"
#include "collect/writer/samples_gather.h"
#include "collect/writer/watch_write.h"
#include "collect/writer/write.h"
#include "common/clock.h"

/* NO_LISTENER_MS: without the listener of the doorbell, a ring of a thousand samples must not
   overrun while the monitor waits. */
enum { AGE_MOST_MS = 2000, WAIT_MS = 100, NO_LISTENER_MS = 10 };

struct samples_writer {
  struct rings rings;
  struct trace_out out;
  struct packer packer;
  struct samples_gather samples;
  bool watches;      /* WATCH is used */
  bool has_listener; /* the doorbell's listener runs */
  struct watch_writer watch;
  struct generated_writer generated;
};

static void
finish (struct samples_writer *w)
{
  struct bbx_loss losses[3 + WATCH_LOSSES]
      = { { w->samples.lost_rings, BBS_LOST_RINGS },
          { atomic_load (&w->rings.head->lost_threads), BBS_LOST_THREADS },
          { w->samples.lost_file, BBS_LOST_FILE } };
  const size_t n = 3 + (w->watches ? watch_losses (&w->watch, losses + 3) : 0);
  trace_out_finish (&w->out, losses, n);
}

static void
take_all (struct samples_writer *w, bool last)
{
  const uint64_t before = last ? UINT64_MAX : clock_now () - AGE_MOST_MS * 1000000UL;
  samples_gather_drain (&w->samples, before);
  if (w->watches)
    watch_take (&w->watch, before, last);
  generated_take (&w->generated, last);
}

/* Waits for more data, or until the doorbell differs from SEEN.  A ring just before the monitor
   waits is noticed only after that wait. */
static void
wait_for_more (struct samples_writer *w, unsigned seen)
{
  if (!w->watches || !w->watch.monitor)
    rings_wait (&w->rings, seen, WAIT_MS);
  else if (atomic_load (&w->rings.head->doorbell) == seen)
    watch_wait (&w->watch, w->has_listener ? WAIT_MS / 2 : NO_LISTENER_MS);
}

/* Serves the process until it has ended. */
static void
serve (struct samples_writer *w)
{
  struct bbs_head *head = w->rings.head;
  for (bool ends = false; !ends;)
    {
      unsigned seen = atomic_load (&head->doorbell);
      ends = process_is_gone (&w->rings.process) || atomic_load (&head->state) != BBS_RUNS;
      take_all (w, ends);
      if (ends)
        finish (w);
      if (w->out.error)
        atomic_store (&head->failed, (uint32_t) w->out.error);
      if (!ends)
        wait_for_more (w, seen);
    }
  rings_end (&w->rings);
}

/* Watching starts first, because the process waits for it. */
bool
write_samples (int fd)
{
  static struct samples_writer w;
  if (!rings_open (&w.rings, fd) || !packer_begin (&w.packer)
      || !samples_gather_begin (&w.samples, &w.rings, &w.packer, &w.out))
    return false;
  w.watches = w.rings.head->timeline != BBS_TIMELINE_NONE;
  if (w.watches)
    watch_begin (&w.watch, w.rings.head, &w.packer, &w.out);
  w.has_listener = w.watches && doorbell_listen (&w.rings);
  generated_begin (&w.generated, (pid_t) w.rings.head->pid, w.rings.head->started, &w.packer,
                   &w.out);
  w.rings.head->file[sizeof w.rings.head->file - 1] = '\0';
  trace_out_open (&w.out, w.rings.head->file, BBS_FILE_MAGIC, BBS_VERSION, w.rings.head->run);
  serve (&w);
  return true;
}
