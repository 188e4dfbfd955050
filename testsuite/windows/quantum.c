/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread that works for 0.5 ms in each 10 ms, by the clock, for some seconds: 5 % of its time.
   Prints the share of the time that it worked by the clock, and by GetThreadTimes. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static LARGE_INTEGER rate;

static double
now (void)
{
  LARGE_INTEGER count;
  QueryPerformanceCounter (&count);
  return (double) count.QuadPart / (double) rate.QuadPart;
}

/* Returns how long it took. */
__attribute__ ((noinline)) double
work_shortly (void)
{
  double begin = now (), end;
  while ((end = now ()) < begin + 0.0005)
    ;
  return end - begin;
}

int
main (int argc, char **argv)
{
  double seconds = argc > 1 ? atof (argv[1]) : 10, worked = 0;
  FILETIME begun, ended, kernel, user;
  QueryPerformanceFrequency (&rate);
  HANDLE timer = CreateWaitableTimerW (NULL, FALSE, NULL);
  LARGE_INTEGER first = { .QuadPart = -1 };
  SetWaitableTimer (timer, &first, 10, NULL, NULL, FALSE);
  double start = now ();
  while (now () < start + seconds)
    {
      WaitForSingleObject (timer, INFINITE);
      worked += work_shortly ();
    }
  double all = now () - start;
  GetThreadTimes (GetCurrentThread (), &begun, &ended, &kernel, &user);
  printf ("%.3f %.3f\n", 100 * worked / all,
          100 * (user.dwLowDateTime + kernel.dwLowDateTime) / 1e7 / all);
  return 0;
}
