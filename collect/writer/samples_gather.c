/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "collect/streams/samples_pack.h"
#include "collect/writer/samples_gather.h"
#include "common/clock.h"

enum { CHUNK = 4096 };

/* Samples that were taken out of a ring and are not written yet. */
struct gathered {
  struct bbs_sample *samples; /* room for CHUNK, or null */
  size_t n;
  uint64_t since;       /* ns: time of the first */
  uint64_t lost;        /* the ring's counter of lost samples */
  uint64_t lost_before; /* the part of it that is written, for the same thread */
};

bool
samples_gather_begin (struct samples_gather *w, struct rings *rings, struct packer *packer,
                      struct trace_out *out)
{
  *w = (struct samples_gather) { .rings = rings, .packer = packer, .out = out };
  w->gathered = calloc (rings->n + 1, sizeof *w->gathered);
  return w->gathered != NULL;
}

/* Writes the flags of the next samples.  Without memory they are left out. */
static void
write_flags (struct samples_gather *w, const struct gathered *g)
{
  w->content.size = 0;
  if (samples_have_flags (g->samples, g->n)
      && samples_pack_flags (w->packer, g->samples, g->n, &w->content))
    trace_out_chunk (w->out, BBS_TYPE_FLAGS, w->content.data, w->content.size);
}

/* Writes the samples of a thread.  If the file or the memory has no room, counts them as lost. */
static void
write_gathered (struct samples_gather *w, uint32_t thread, struct gathered *g)
{
  uint64_t lost = g->lost - g->lost_before;
  if (g->n == 0 && lost == 0)
    return;
  write_flags (w, g);
  w->content.size = 0;
  bool packed = !w->out->error
                && samples_pack (w->packer, thread, g->samples, g->n, lost, &w->content);
  if (packed)
    trace_out_chunk (w->out, BBS_TYPE_SAMPLES, w->content.data, w->content.size);
  if (!packed || w->out->error)
    w->lost_file += g->n;
  w->lost_rings += lost;
  g->lost_before = g->lost;
  g->n = 0;
}

/* Takes the samples that are in the ring now, however many arrive meanwhile. */
static void
drain (struct samples_gather *w, struct bbs_ring *ring, struct gathered *g)
{
  size_t n = 1;
  for (size_t left = w->rings->samples; left > 0 && n > 0; left -= n)
    {
      const size_t room = CHUNK - g->n;
      n = rings_copy (w->rings, ring, g->samples + g->n, left < room ? left : room);
      rings_take (ring, n);
      if (g->n == 0)
        g->since = clock_now ();
      g->n += n;
      if (g->n == CHUNK)
        write_gathered (w, ring->thread, g);
    }
  g->lost = atomic_load_explicit (&ring->lost, memory_order_relaxed);
}

/* Frees the ring of a thread that has ended. */
static void
free_ring (struct samples_gather *w, struct bbs_ring *ring, struct gathered *g)
{
  write_gathered (w, ring->thread, g);
  free (g->samples);
  *g = (struct gathered) { .n = 0 };
  atomic_store_explicit (&ring->used, 0, memory_order_release);
}

void
samples_gather_drain (struct samples_gather *w, uint64_t before)
{
  const size_t made = atomic_load_explicit (&w->rings->head->made, memory_order_acquire);
  for (size_t i = 0; i < w->rings->n && i < made; i++)
    {
      struct bbs_ring *ring = rings_at (w->rings, i);
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
