/* SPDX-License-Identifier: MIT */
/* Samples and marks one by one, as they are taken, for who wants to see each. */
#ifndef BBP_OBSERVE_H
#define BBP_OBSERVE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/sample/sample.h"

#pragma GCC visibility push(hidden)

/* ring.c: when samples were taken, for who drains the rings (bbprof-samples.h). */
void bbp_rings_start (void); /* cold, lock held */
void bbp_rings_close (void); /* cold, lock held: before the last dump */
void bbp_rings_end (void);   /* cold, lock held: after it */
/* cold, lock held: it was not the last one: exec has failed. */
void bbp_rings_resume (void);
/* cold, lock held: in the child, before it enters threads. */
void bbp_rings_forked (void);
/* cold, lock held: a thread gets one, if there is one. */
void bbp_ring_begin (struct bbp_sampled *);
void bbp_ring_end (struct bbp_sampled *); /* the same */
/* any, but inside of the lock: in a forked child they may be due. */
void bbp_rings_tick (void);
/* Signal: the thread's own, or who has its BUSY.  SLEEPS: the thread, which is not the calling
   one then, was on no processor. */
void bbp_ring_put (struct bbp_sampled *, uint32_t node, unsigned ticks, bool sleeps);

#pragma GCC visibility pop

#endif
