/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stops THREADS [reset]: threads work in steps, all in the same one, while the first thread stops
   and starts counting between the steps, or resets the profile and writes it.  Between steps a
   thread waits in the system, or in a loop of its own.  In each step others begin and end.  Status
   8: a function of the library failed, or changed the last error. */
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "include/bbprof.h"

enum { MOST = 16, LAST_ERROR = 1234 };

#define FUNCTION(name)                                   \
  static __attribute__ ((noinline)) void name (int odd)  \
  {                                                      \
    if (odd)                                             \
      __asm__ volatile ("nop");                          \
    else                                                 \
      __asm__ volatile ("nop; nop");                     \
  }
FUNCTION (first)
FUNCTION (second)
FUNCTION (third)

static void (*volatile steps[]) (int) = { first, second, third };
enum { STEPS = sizeof steps / sizeof *steps };

static volatile LONG step, finished; /* the step to work in; threads that have done so */
static HANDLE begins[STEPS];

static __attribute__ ((noinline)) void
work (int n)
{
  for (int i = 0; i < 1000; i++)
    steps[n](i & 1);
}

/* Odd threads stay on a processor. */
static __attribute__ ((noinline)) void
wait_for_step (int n, size_t number)
{
  if (number % 2 == 0)
    WaitForSingleObject (begins[n], INFINITE);
  while (step < n)
    YieldProcessor ();
}

static DWORD WINAPI
run (void *number)
{
  for (int n = 0; n < STEPS; n++)
    {
      wait_for_step (n, (size_t) number);
      work (n);
      InterlockedIncrement (&finished);
    }
  return 0;
}

static DWORD WINAPI
run_once (void *n)
{
  work ((int) (size_t) n);
  InterlockedIncrement (&finished);
  return 0;
}

static __attribute__ ((noinline)) void
do_step (int n, int threads)
{
  HANDLE other = CreateThread (NULL, 0, run_once, (void *) (size_t) n, 0, NULL);
  finished = 0;
  step = n;
  SetEvent (begins[n]);
  work (n);
  WaitForSingleObject (other, INFINITE);
  CloseHandle (other);
  while (finished < threads)
    Sleep (1);
}

/* The process ends without the threads, which may have the last instructions of `run' before
   them. */
static void
end (HANDLE *thread, int threads)
{
  WaitForMultipleObjects ((DWORD) threads, thread, TRUE, INFINITE);
}

static int
stop_between (int threads)
{
  do_step (0, threads);
  SetLastError (LAST_ERROR);
  bbprof_stop ();
  int wrong = GetLastError () != LAST_ERROR;
  bbprof_stop (); /* stops do not nest */
  do_step (1, threads);
  SetLastError (LAST_ERROR);
  bbprof_start ();
  wrong |= GetLastError () != LAST_ERROR;
  do_step (2, threads);
  return wrong;
}

static int
reset_between (int threads)
{
  do_step (0, threads);
  SetLastError (LAST_ERROR);
  int wrong = bbprof_reset () || GetLastError () != LAST_ERROR;
  do_step (1, threads);
  SetLastError (LAST_ERROR);
  wrong |= bbprof_dump () || GetLastError () != LAST_ERROR;
  do_step (2, threads);
  return wrong;
}

int
main (int argc, char **argv)
{
  HANDLE thread[MOST];
  int threads = argc > 1 ? atoi (argv[1]) : 1;
  step = -1;
  for (int n = 0; n < STEPS; n++)
    begins[n] = CreateEventW (NULL, TRUE, FALSE, NULL);
  for (int i = 0; i < threads; i++)
    thread[i] = CreateThread (NULL, 0, run, (void *) (size_t) i, 0, NULL);
  int wrong = argc > 2 && !strcmp (argv[2], "reset") ? reset_between (threads)
                                                     : stop_between (threads);
  end (thread, threads);
  return wrong ? 8 : 0;
}
