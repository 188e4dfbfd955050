/* SPDX-License-Identifier: GPL-3.0-or-later */
/* running HOW THREADS TIMES: threads run through code with branches, and never end, while the first
   thread dumps, resets, or stops and starts so many times.  Another thread sleeps.  As running.c of
   run/, for Windows. */
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "bbprof.h"
#include "diamond.h"

static volatile LONG running, rounds; /* threads; rounds of all of them */

static DWORD WINAPI
run (void *unused)
{
  (void) unused;
  InterlockedIncrement (&running);
  for (unsigned n = 0;; n++)
    {
      diamond (n);
      plain (n);
      InterlockedIncrement (&rounds);
    }
}

static DWORD WINAPI
sleep_long (void *unused)
{
  (void) unused;
  InterlockedIncrement (&running);
  Sleep (INFINITE);
  return 0;
}

static int
control (const char *how)
{
  if (!strcmp (how, "dump"))
    return bbprof_dump ();
  if (!strcmp (how, "reset"))
    return bbprof_reset ();
  bbprof_stop ();
  bbprof_start ();
  return 0;
}

static void
run_on (LONG more)
{
  LONG before = rounds;
  while (rounds < before + more)
    Sleep (1);
}

int
main (int argc, char **argv)
{
  int threads = argc > 3 ? atoi (argv[2]) : 0, wrong = argc < 4;
  CreateThread (NULL, 0, sleep_long, NULL, 0, NULL);
  for (int i = 0; i < threads; i++)
    CreateThread (NULL, 0, run, NULL, 0, NULL);
  while (running < threads + 1)
    Sleep (1);
  for (int i = 0; i < (argc > 3 ? atoi (argv[3]) : 0) && !wrong; i++)
    {
      run_on (1000);
      wrong = control (argv[1]);
    }
  run_on (10000); /* there is something to be written */
  return wrong;
}
