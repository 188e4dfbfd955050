/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile of a process that was killed, from its live file. */
#ifndef BBPROF_RECOVER_H
#define BBPROF_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

enum recovery {
  RECOVERY_DONE,    /* the profile is written, the live file removed */
  RECOVERY_NOTHING, /* the process had counted nothing; the live file is removed */
  RECOVERY_RUNS,    /* the process is still running: nothing was touched */
  RECOVERY_OLD,     /* there is a newer profile of another run: nothing was touched */
  RECOVERY_FAILED,  /* the error says why; the live file is still there */
};

#define RECOVER_PATH_SIZE 4096

struct recovered {
  char profile[RECOVER_PATH_SIZE];
  uint64_t missing; /* parts that had no room on the disk: counts are too low */
};

/* Recovers the live file NAME into OUTPUT; if that is null, into the file that the process would
   have written, beside the live file, unless there is one that is newer. */
enum recovery recover_file (const char *name, const char *output, struct recovered *,
                            struct error *);

/* Of two names of files, for qsort: the one that was written to last comes first.  So of several
   live files with the same profile the newest becomes it, and the others are left. */
int recover_compare (const void *, const void *);

/* For a report on PROFILE: recovers what a process that was going to write it has left beside
   it, if PROFILE is missing or older, and the files are the user's own.  A warning says so.
   False: no memory for that. */
bool recover_live_files (struct warnings *, const char *profile);

#endif
