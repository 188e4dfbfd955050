/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's own control: each function is called as often between the calls of control as the
   test expects. */
#include <stdio.h>
#include <unistd.h>

#include "bbprof.h"

extern char __executable_start, etext;

#define FUNCTION(name)                       \
  __attribute__ ((noinline)) void name (int); \
  void name (int n) { __asm__ volatile ("" : "+r"(n)); }
FUNCTION (counted)
FUNCTION (paused)
FUNCTION (stopped)
FUNCTION (again)

static void
times (void (*f) (int), int n)
{
  for (int i = 0; i < n; i++)
    f (i);
}

int
main (int argc, char **argv)
{
  (void) argv;
  times (counted, 3);
  moncontrol (0);
  times (paused, 4);
  moncontrol (1);
  times (counted, 5);
  if (argc > 1)
    {
      _mcleanup ();
      rename ("gmon.out", "first.out");
      times (stopped, 6);
      _mcleanup ();
      if (access ("gmon.out", F_OK) == 0)
        return 1;
      monstartup ((unsigned long) &__executable_start, (unsigned long) &etext);
      times (again, 7);
      monstartup ((unsigned long) &__executable_start, (unsigned long) &etext);
      times (again, 1);
    }
  return 0;
}
