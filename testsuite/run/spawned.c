/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what it has got of its parent: signals that are blocked, ignored, handled, pending;
   timers.  Then uses CPU time, for many ticks of a timer that it should not have. */
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

int
main (void)
{
  char line[1000];
  FILE *status = fopen ("/proc/self/status", "r");
  while (status && fgets (line, sizeof line, status))
    if (!strncmp (line, "Sig", 3) || !strncmp (line, "ShdPnd", 6))
      if (strncmp (line, "SigQ", 4))
        fputs (line, stdout);
  struct itimerval timer;
  for (int which = 0; which < 3; which++)
    if (getitimer (which, &timer) == 0)
      printf ("timer %d: %ld\n", which, (long) timer.it_value.tv_usec);
  for (clock_t end = clock () + CLOCKS_PER_SEC / 25; clock () < end;)
    ;
  return 42;
}
