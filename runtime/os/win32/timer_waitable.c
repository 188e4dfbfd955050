/* SPDX-License-Identifier: MIT */
/* An unnamed waitable timer that resets itself.  Context: the sampler's thread. */
#include "runtime/os/win32/win32.h"

static HANDLE timer;
static LARGE_INTEGER interval; /* negative: relative, in 100 ns */
static bool repeats;

static bool
set (LONGLONG due)
{
  LARGE_INTEGER first = { .QuadPart = due };
  LONG period = repeats ? (LONG) ((-interval.QuadPart + 9999) / 10000) : 0;
  return SetWaitableTimer (timer, &first, period, NULL, NULL, FALSE);
}

static bool
start (unsigned interval_us, bool periodic)
{
  interval.QuadPart = -10 * (LONGLONG) interval_us;
  repeats = periodic;
  timer = CreateWaitableTimerW (NULL, FALSE, NULL);
  return timer && set (-1);
}

static bool
wait (HANDLE wake)
{
  const HANDLE either[] = { wake, timer };
  return WaitForMultipleObjects (2, either, FALSE, INFINITE) <= WAIT_OBJECT_0 + 1;
}

static bool
again (void)
{
  return repeats || set (interval.QuadPart);
}

static void
end (void)
{
  if (timer)
    CloseHandle (timer);
  timer = NULL;
}

const struct bbp_timer bbp_timer_waitable
    = { .name = "waitable", .start = start, .wait = wait, .again = again, .end = end };
