/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For unit tests whose result depends on how much processor time they get: a run that fails
   while other programs used more than a sixth of the processors is void, and repeated.  The same
   as `timed' in lib.sh. */
#ifndef OWN_TIME_H
#define OWN_TIME_H

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "testsuite/unit/unit.h"

/* Seconds since the start of the machine, of all processors, and of this process and its ended
   children. */
struct own_time {
  double all, busy, own;
};

static inline double
own_time_of (int who)
{
  struct rusage usage;
  getrusage (who, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static inline struct own_time
own_time_now (void)
{
  enum { KINDS = 8, IDLE = 3, WAITING = 4 };
  struct own_time now = { .own = own_time_of (RUSAGE_SELF) + own_time_of (RUSAGE_CHILDREN) };
  unsigned long ticks;
  FILE *file = fopen ("/proc/stat", "re");
  if (!file)
    return now;
  if (fscanf (file, "cpu") == 0)
    for (int i = 0; i < KINDS && fscanf (file, "%lu", &ticks) == 1; i++)
      {
        double seconds = (double) ticks / (double) sysconf (_SC_CLK_TCK);
        now.all += seconds;
        now.busy += i == IDLE || i == WAITING ? 0 : seconds;
      }
  fclose (file);
  return now;
}

/* As unit_run: of five runs of the suite one has to count; 77: none did. */
static inline int
own_time_run (const struct unit_suite *suite)
{
  enum { TRIES = 5 };
  double others = 0;
  for (int i = 0; i < TRIES; i++)
    {
      struct own_time before = own_time_now ();
      if (unit_run (suite) == EXIT_SUCCESS)
        return EXIT_SUCCESS;
      struct own_time after = own_time_now ();
      others
          = (after.busy - before.busy - after.own + before.own) / (after.all - before.all + 0.01);
      if (others < 1. / 6)
        return EXIT_FAILURE;
    }
  printf ("SKIP: in none of five tries the processors were free enough; others had %.0f %% of the "
          "processors\n",
          100 * others);
  return 77;
}

#endif
