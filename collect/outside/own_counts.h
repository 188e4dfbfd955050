/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an instrumented process has counted itself: its calls, blocks and edges, from the profile
   that it wrote, at the addresses of the profile that is made from outside.  Its own samples are
   left out. */
#ifndef BBPROF_OWN_COUNTS_H
#define BBPROF_OWN_COUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/outside/outside.h"
#include "common/output.h"
#include "model/files/bbx_read.h"
#include "model/files/gmon_read.h"

struct own_counts {
  uint64_t run;
  struct profile profile; /* its histograms have no meaning here */
  struct bbx sidecar;
  bool exact_callers;
  /* After own_counts_place: for each object of the sidecar, whether the process of outside has it,
     too. */
  bool *known;
};

/* Reads the profile NAME that process PID wrote.  False: ERR says why there are no counts; call
   own_counts_free in both cases. */
bool own_counts_read (struct own_counts *c, pid_t pid, const char *name, struct error *err);
void own_counts_free (struct own_counts *);

/* Leaves what was counted after BEFORE was read; everything, if that is of another run, or if the
   process has counted from zero since.  False: out of memory; then only own_counts_free is
   allowed. */
bool own_counts_subtract (struct own_counts *c, const struct own_counts *before);

/* Moves all addresses to those that the profile of P has.  False: ERR says why it cannot have these
   counts. */
bool own_counts_place (struct own_counts *c, const struct process *p, struct error *err);

/* The object in memory at BASE, as the process describes it; null: it does not. */
const struct bbx_run_object *own_counts_object (const struct own_counts *, uint64_t base);

/* The lists of the sidecar.  False: out of memory. */
bool own_counts_write_lists (const struct own_counts *, struct output *);

#endif
