/* SPDX-License-Identifier: MIT */
/* A timer of the system's timer queue, whose callback, in a thread of the system's pool, signals
   an event.  Context: the sampler's thread. */
#include "runtime/os/win32/win32.h"

static HANDLE queue, timer, expired;
static DWORD interval_ms;
static bool repeats;

static void CALLBACK
signal_expiry (void *unused, BOOLEAN timed_out)
{
  (void) unused;
  (void) timed_out;
  SetEvent (expired);
}

static bool
start (unsigned interval_us, bool periodic)
{
  interval_ms = (interval_us + 999) / 1000;
  repeats = periodic;
  expired = CreateEventW (NULL, FALSE, FALSE, NULL);
  queue = expired ? CreateTimerQueue () : NULL;
  return queue
         && CreateTimerQueueTimer (&timer, queue, signal_expiry, NULL, 0,
                                   periodic ? interval_ms : 0, WT_EXECUTEINTIMERTHREAD);
}

static bool
wait (HANDLE wake)
{
  const HANDLE either[] = { wake, expired };
  return WaitForMultipleObjects (2, either, FALSE, INFINITE) <= WAIT_OBJECT_0 + 1;
}

/* A timer that has expired cannot be set again, so another one takes its place. */
static bool
again (void)
{
  if (repeats)
    return true;
  DeleteTimerQueueTimer (queue, timer, INVALID_HANDLE_VALUE);
  return CreateTimerQueueTimer (&timer, queue, signal_expiry, NULL, interval_ms, 0,
                                WT_EXECUTEINTIMERTHREAD);
}

/* Waits for a callback that runs. */
static void
end (void)
{
  if (queue)
    DeleteTimerQueueEx (queue, INVALID_HANDLE_VALUE);
  if (expired)
    CloseHandle (expired);
  queue = timer = expired = NULL;
}

const struct bbp_timer bbp_timer_queue
    = { .name = "queue", .start = start, .wait = wait, .again = again, .end = end };
