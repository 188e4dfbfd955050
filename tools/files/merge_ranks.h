/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof merge --mpi: the ranks of a job share the profiles, and add up what each has made. */
#ifndef BBPROF_MERGE_RANKS_H
#define BBPROF_MERGE_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct bbm_job;

struct merge_ranks {
  const struct bbm_job *job;
  int rank, size;
};

/* Starts the job; MPI: "openmpi", "mpich" or "auto".  False: ERR says why not. */
bool merge_ranks_start (struct merge_ranks *, const char *mpi, struct error *err);

/* Names the file for this rank's sum, in TMPDIR, or in memory if there is room for files.  Null: no
   memory, see ERR. */
char *merge_ranks_part (struct error *err);

/* Adds up the files PART of all ranks to OUTPUT, and removes PART.  HAS_PART false: ERR says why
   this rank has none.  False: there is no sum; in rank 0 ERR says why. */
bool merge_ranks_end (struct merge_ranks *, const char *part, bool has_part, const char *output,
                      struct error *err);

#endif
