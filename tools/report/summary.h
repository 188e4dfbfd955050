/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sidecars say about the runs as a whole, added up: when, how long, what was lost. */
#ifndef BBPROF_SUMMARY_H
#define BBPROF_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

struct loss {
  const char *cause; /* borrowed from the model, or for ever */
  uint64_t count;    /* not 0 */
};

struct summary {
  size_t processes;     /* 0: no sidecar describes one, and the next five are not known */
  uint64_t started;     /* the first one; nanoseconds since 1970 */
  uint64_t wall;        /* nanoseconds from then to the last dump */
  uint64_t cpu;         /* nanoseconds, of all */
  uint64_t threads;     /* at most at a time in one process */
  uint64_t samples;     /* taken */
  uint32_t rate;        /* samples a second of CPU time; 0: none */
  struct bbx_time time; /* what the ticks stand for; zeros: not known */
  struct loss *losses;
  size_t nlosses, room_losses;
  size_t unknown; /* profiles that do not say what was lost */
};

/* What a tick stands for, in units of 1 / rate seconds; 1 if that is not known. */
double summary_scale (const struct summary *);

/* False if memory is short. */
bool summary_make (struct summary *, const struct model *);
/* And what the traces beside the profiles have lost, of the same runs.  The same. */
bool summary_add_traces (struct summary *, const struct model *);
void summary_free (struct summary *);

#endif
