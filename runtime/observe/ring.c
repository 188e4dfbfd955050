/* SPDX-License-Identifier: MIT */
/* The times of samples: each thread puts them into its own ring, in memory that it shares with
   the writer (bbprof-samples.h).  Without room the sample is counted as lost: a tick never
   waits. */
#include <linux/futex.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/rings.h"
#include "runtime/sample/sample.h"

#define MASK (BBP_RING_SAMPLES - 1)

struct bbp_rings bbp_rings;

/* The futex is not private: the other side is another process. */
void
bbp_rings_wake_writer (void)
{
  struct bbs_head *head = bbp_rings.head;
  atomic_fetch_add (&head->doorbell, 1);
  if (atomic_load (&head->waiting))
    bbp_sys_futex ((int *) &head->doorbell, FUTEX_WAKE, 1);
}

static uint16_t
processor (bool sleeps)
{
  unsigned cpu = bbp_arch_cpu ();
  if (sleeps)
    return BBS_SLEEPS | BBS_CPU_UNKNOWN;
  return cpu < BBS_CPU_UNKNOWN ? (uint16_t) cpu : BBS_CPU_UNKNOWN;
}

/* False: there is no room. */
static bool
put (struct bbs_ring *ring, const struct bbs_sample *sample)
{
  uint64_t head = atomic_load_explicit (&ring->head, memory_order_relaxed);
  uint64_t used = head - atomic_load_explicit (&ring->tail, memory_order_acquire);
  if (used >= BBP_RING_SAMPLES)
    return false;
  ring->samples[head & MASK] = *sample;
  atomic_store_explicit (&ring->head, head + 1, memory_order_release);
  if (used + 1 == BBP_RING_SAMPLES / 2)
    bbp_rings_wake_writer ();
  return true;
}

static void
lose (struct bbs_ring *ring)
{
  __atomic_fetch_add (&bbp.lost_times, 1, __ATOMIC_RELAXED);
  if (ring)
    atomic_store_explicit (&ring->lost,
                           atomic_load_explicit (&ring->lost, memory_order_relaxed) + 1,
                           memory_order_relaxed);
  else if (bbp_rings.head)
    atomic_fetch_add (&bbp_rings.head->lost_threads, 1);
}

void
bbp_rings_tick (void)
{
  if (__atomic_load_n (&bbp_rings.state, __ATOMIC_ACQUIRE) == BBP_RINGS_LATER
      && bbp_run_time () >= bbp_rings.later)
    bbp_rings_try ();
}

struct bbp_moment
bbp_ring_now (const struct bbp_sampled *thread, bool sleeps)
{
  if (__atomic_load_n (&bbp_rings.state, __ATOMIC_ACQUIRE) == BBP_RINGS_OFF)
    return (struct bbp_moment) { 0 };
  return (struct bbp_moment) { bbp_run_time (), thread->flags, processor (sleeps) };
}

void
bbp_ring_put (struct bbp_sampled *thread, uint32_t node, unsigned ticks, struct bbp_moment moment)
{
  enum bbp_rings_state state = __atomic_load_n (&bbp_rings.state, __ATOMIC_ACQUIRE);
  if (state == BBP_RINGS_OFF)
    return;
  bbp_rings_tick ();
  struct bbs_ring *ring = __atomic_load_n (&thread->ring, __ATOMIC_ACQUIRE);
  const struct bbs_sample sample = { .time = moment.time,
                                     .context = node,
                                     .ticks = ticks < UINT16_MAX ? (uint16_t) ticks : UINT16_MAX,
                                     .cpu = moment.cpu,
                                     .flags = moment.flags };
  if (state == BBP_RINGS_CLOSED || !ring || !moment.time || !put (ring, &sample))
    lose (ring);
}
