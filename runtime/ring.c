/* SPDX-License-Identifier: MIT */
/* When samples were taken.  Context: said on each function. */
#include "sampling.h"

void
bbp_rings_start (void)
{
}

void
bbp_rings_end (void)
{
}

void
bbp_rings_forked (void)
{
}

void
bbp_ring_begin (struct bbp_sampled *thread)
{
  (void) thread;
}

void
bbp_ring_end (struct bbp_sampled *thread)
{
  (void) thread;
}

void
bbp_ring_put (struct bbp_sampled *thread, uint32_t node, unsigned ticks)
{
  (void) thread;
  (void) node;
  (void) ticks;
}
