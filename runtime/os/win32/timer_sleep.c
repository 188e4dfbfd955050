/* SPDX-License-Identifier: MIT */
/* A loop of sleeps of a millisecond at a raised rate of the system's timer, against the clock of
   that timer.  The raised rate ends with the loop, whatever ends it.  Context: the sampler's
   thread. */
#include "runtime/os/win32/win32.h"

#include <mmsystem.h>

enum { RESOLUTION_MS = 1 };

static DWORD interval_ms, due; /* DUE: by timeGetTime */
static bool repeats, raised;

static bool
start (unsigned interval_us, bool periodic)
{
  interval_ms = (interval_us + 999) / 1000;
  repeats = periodic;
  raised = timeBeginPeriod (RESOLUTION_MS) == TIMERR_NOERROR;
  due = timeGetTime ();
  return raised;
}

static bool
wait (HANDLE wake)
{
  while ((LONG) (due - timeGetTime ()) > 0)
    if (WaitForSingleObject (wake, RESOLUTION_MS) != WAIT_TIMEOUT)
      break;
  return true;
}

static bool
again (void)
{
  due = (repeats ? due : timeGetTime ()) + interval_ms;
  return true;
}

static void
end (void)
{
  if (raised)
    timeEndPeriod (RESOLUTION_MS);
  raised = false;
}

const struct bbp_timer bbp_timer_sleep
    = { .name = "sleep", .start = start, .wait = wait, .again = again, .end = end };
