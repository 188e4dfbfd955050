/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over the sidecars of all runs: start, duration, losses. */
#ifndef BBPROF_SUMMARY_H
#define BBPROF_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

struct loss {
  const char *cause; /* borrowed from the model, or constant */
  uint64_t count;    /* not 0 */
};

struct summary {
  /* 0: no sidecar describes a process, and the next five fields are unknown */
  size_t processes;
  uint64_t started;     /* of the first process; nanoseconds since 1970 */
  uint64_t wall;        /* nanoseconds from `started' to the last dump */
  uint64_t cpu;         /* nanoseconds, of all processes */
  uint64_t threads;     /* the largest number at a time in one process */
  uint64_t samples;     /* samples taken */
  uint32_t rate;        /* samples a second of CPU time; 0: none */
  struct bbx_time time; /* time that the ticks stand for; zeros: unknown */
  struct loss *losses;
  size_t nlosses, room_losses;
  size_t unknown; /* profiles with unknown losses */
};

/* Time of a tick in units of 1 / rate seconds; 1 if unknown. */
double summary_scale (const struct summary *);

/* False: no memory. */
bool summary_make (struct summary *, const struct model *);
/* Adds the losses of the traces beside the profiles, of the same runs.  False: no memory. */
bool summary_add_traces (struct summary *, const struct model *);
void summary_free (struct summary *);

#endif
