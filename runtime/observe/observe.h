/* SPDX-License-Identifier: MIT */
/* Single samples and markers, as they are taken. */
#ifndef BBP_OBSERVE_H
#define BBP_OBSERVE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/sample/sample.h"

#pragma GCC visibility push(hidden)

/* ring.c: the times of samples, for the process that drains the rings (bbprof-samples.h). */
void bbp_rings_start (void); /* cold, lock held */
void bbp_rings_close (void); /* cold, lock held: before the last dump */
void bbp_rings_end (void);   /* cold, lock held: after it */
/* cold, lock held: it was not the last dump, because exec failed. */
void bbp_rings_resume (void);
/* cold, lock held: in the child, before it enters threads. */
void bbp_rings_forked (void);
/* cold, lock held: gives the thread a ring, if there is a free one. */
void bbp_ring_begin (struct bbp_sampled *);
void bbp_ring_end (struct bbp_sampled *); /* cold, lock held */
/* any, but without the lock: starts the rings in a forked child if that is due. */
void bbp_rings_tick (void);
/* Signal: called by the thread, or by the one that set its BUSY.  SLEEPS: the thread, then not
   the calling one, was on no processor. */
void bbp_ring_put (struct bbp_sampled *, uint32_t node, unsigned ticks, struct bbp_moment);
/* The moment of a sample that is taken now, for bbp_ring_put. */
struct bbp_moment bbp_ring_now (const struct bbp_sampled *, bool sleeps);

/* mpi_call.c: the calling thread was in a function of MPI for NANOSECONDS, up to now; for a
   timeline, if there is one.  Hot.  CALL: enum bbm_call. */
void bbp_mpi_call_put (unsigned call, uint64_t nanoseconds);

#pragma GCC visibility pop

#endif
