/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the profile of a process that was killed, from its live file. */
#ifndef BBPROF_RECOVER_H
#define BBPROF_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

enum recovery {
  RECOVERY_DONE,    /* the profile is written, the live file removed */
  RECOVERY_NOTHING, /* the process had counted nothing; the live file is removed */
  RECOVERY_RUNS,    /* the process still runs; nothing was changed */
  RECOVERY_OLD,     /* there is a newer profile of another run; nothing was changed */
  RECOVERY_FAILED,  /* see the error; the live file is still there */
};

#define RECOVER_PATH_SIZE 4096

struct recovered {
  char profile[RECOVER_PATH_SIZE];
  uint64_t missing; /* parts without room on the disk: counts are too low */
};

/* Recovers the live file NAME into OUTPUT.  If OUTPUT is null, writes the file that the process
   would have written, beside the live file, unless a newer one is there. */
enum recovery recover_file (const char *name, const char *output, struct recovered *,
                            struct error *);

/* Compares two file names for qsort: the one modified last comes first.  So the newest of several
   live files becomes the profile, and the others stay. */
int recover_compare (const void *, const void *);

/* For a report on PROFILE: if PROFILE is missing or older, recovers the user's own live files
   beside it, and adds a warning.  False: out of memory. */
bool recover_live_files (struct warnings *, const char *profile);

#endif
