/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of the times of samples: it empties the rings, gathers what comes out of each until that is worth a chunk, or
   old.  What was in the rings when the process ended is written, too. */
#include <stdlib.h>

#include "clock.h"
#include "file_write.h"
#include "rings.h"
#include "samples_pack.h"
#include "write.h"

enum { CHUNK = 4096, AGE_MOST_MS = 2000, WAIT_MS = 100 };

/* What has been taken out of a ring. */
struct gathered {
  struct bbs_sample *samples; /* room for CHUNK, or null */
  size_t n;
  uint64_t since;    /* ns; when the first came */
  uint64_t lost;     /* that the ring says */
  uint64_t lost_before; /* that has been written, of the same thread */
};

struct samples_writer {
  struct rings rings;
  struct trace_out out;
  struct packer packer;
  struct bytes content; /* of the chunk that is being made */
  struct gathered *gathered; /* one for each ring */
  uint64_t lost_rings, lost_file;
};

/* What has no room in the file, or in memory, is counted. */
static void
write_gathered (struct samples_writer *w, uint32_t thread, struct gathered *g)
{
  uint64_t lost = g->lost - g->lost_before;
  if (g->n == 0 && lost == 0)
    return;
  w->content.size = 0;
  bool packed = !w->out.error && samples_pack (&w->packer, thread, g->samples, g->n, lost, &w->content);
  if (packed)
    trace_out_chunk (&w->out, BBS_TYPE_SAMPLES, w->content.data, w->content.size);
  if (!packed || w->out.error)
    w->lost_file += g->n;
  w->lost_rings += lost;
  g->lost_before = g->lost;
  g->n = 0;
}

/* Once all that is in it, however much comes meanwhile. */
static void
drain (struct samples_writer *w, struct bbs_ring *ring, struct gathered *g)
{
  size_t n = 1;
  for (size_t left = w->rings.samples; left > 0 && n > 0; left -= n)
    {
      const size_t room = CHUNK - g->n;
      n = rings_copy (&w->rings, ring, g->samples + g->n, left < room ? left : room);
      rings_take (ring, n);
      if (g->n == 0)
        g->since = clock_now ();
      g->n += n;
      if (g->n == CHUNK)
        write_gathered (w, ring->thread, g);
    }
  g->lost = atomic_load_explicit (&ring->lost, memory_order_relaxed);
}

/* Its thread has ended, and puts nothing more into it. */
static void
free_ring (struct samples_writer *w, struct bbs_ring *ring, struct gathered *g)
{
  write_gathered (w, ring->thread, g);
  free (g->samples);
  *g = (struct gathered) { .n = 0 };
  atomic_store_explicit (&ring->used, 0, memory_order_release);
}

/* All rings; what was gathered before the time BEFORE is written.  Without memory they wait, and overrun. */
static void
drain_all (struct samples_writer *w, uint64_t before)
{
  const size_t made = atomic_load_explicit (&w->rings.head->made, memory_order_acquire);
  for (size_t i = 0; i < w->rings.n && i < made; i++)
    {
      struct bbs_ring *ring = rings_at (&w->rings, i);
      uint32_t used = atomic_load_explicit (&ring->used, memory_order_acquire);
      struct gathered *g = &w->gathered[i];
      if (used == 0 || (!g->samples && !(g->samples = malloc (CHUNK * sizeof *g->samples))))
        continue;
      drain (w, ring, g);
      if (used != 1)
        free_ring (w, ring, g);
      else if (g->since < before)
        write_gathered (w, ring->thread, g);
    }
}

static void
finish (struct samples_writer *w)
{
  const struct bbx_loss losses[] = { { w->lost_rings, BBS_LOST_RINGS },
                                     { atomic_load (&w->rings.head->lost_threads), BBS_LOST_THREADS },
                                     { w->lost_file, BBS_LOST_FILE } };
  trace_out_finish (&w->out, losses, sizeof losses / sizeof *losses);
}

/* Until there is no more to come. */
static void
serve (struct samples_writer *w)
{
  struct bbs_head *head = w->rings.head;
  for (bool ends = false; !ends;)
    {
      unsigned seen = atomic_load (&head->doorbell);
      ends = process_is_gone (&w->rings.process) || atomic_load (&head->state) != BBS_RUNS;
      drain_all (w, ends ? UINT64_MAX : clock_now () - AGE_MOST_MS * 1000000UL);
      if (ends)
        finish (w);
      if (w->out.error)
        atomic_store (&head->failed, (uint32_t) w->out.error);
      if (!ends)
        rings_wait (&w->rings, seen, WAIT_MS);
    }
  rings_end (&w->rings);
}

bool
write_samples (int fd)
{
  static struct samples_writer w;
  if (!rings_open (&w.rings, fd) || !packer_begin (&w.packer) || !(w.gathered = calloc (w.rings.n + 1, sizeof *w.gathered)))
    return false;
  w.rings.head->file[sizeof w.rings.head->file - 1] = '\0';
  trace_out_open (&w.out, w.rings.head->file, BBS_FILE_MAGIC, BBS_VERSION, w.rings.head->run);
  serve (&w);
  return true;
}
