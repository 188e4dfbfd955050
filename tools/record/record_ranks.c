/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks of a program of MPI.  Each has a `bbprof record' of its own, as its launcher starts them;
   the shim in the program makes one profile of all (runtime/mpi/). */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/record/record.h"

/* The number in the first of these variables that is set; false: none is. */
static bool
find_number (const char *const *names, unsigned *number)
{
  for (; *names; names++)
    {
      const char *value = getenv (*names);
      char *end;
      if (!value || !*value)
        continue;
      *number = (unsigned) strtoul (value, &end, 10);
      if (!*end)
        return true;
    }
  return false;
}

/* This process's rank, as the launchers tell it; the library searches in the same order (path.c).
   False: it is not one of several. */
static bool
find_rank (unsigned *rank)
{
  static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
                                       "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", NULL },
                           *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                              "MV2_COMM_WORLD_SIZE", "SLURM_NTASKS", NULL };
  unsigned size;
  return find_number (ranks, rank) && find_number (sizes, &size) && size > 1;
}

bool
record_add_shim (struct record_options *o, const char *file, const char **library,
                 struct error *err)
{
  const char *mpi = strcmp (o->mpi, "auto") == 0 ? record_needed_mpi (file) : o->mpi;
  const char *slash = strrchr (*library, '/');
  int folder = slash ? (int) (slash + 1 - *library) : 0;
  char *shim, *both, *output;
  if (!mpi || strcmp (mpi, "none") == 0)
    return true;
  if (asprintf (&shim, "%.*slibbbprof-%s.so", folder, *library, mpi) < 0)
    return error_no_memory (err);
  if (access (shim, R_OK) != 0)
    return error_set (err, shim, ERROR_NO_OFFSET,
                      "the shim for this MPI is not there (--mpi=none does without)");
  if (asprintf (&both, "%s:%s", *library, shim) < 0)
    return error_no_memory (err);
  *library = both;
  if (!find_rank (&o->rank))
    return true;
  if (asprintf (&output, "%s.rank%u", o->output, o->rank) < 0)
    return error_no_memory (err);
  o->sum = o->output;
  o->output = output;
  return true;
}

/* Where the ranks see different folders, only rank 0 sees the sum. */
bool
record_is_summed (const struct record_run *run)
{
  const struct record_options *o = run->options;
  return o->sum && WIFEXITED (run->status) && access (o->output, F_OK) != 0
         && (o->rank != 0 || record_is_since (o->sum, run));
}
