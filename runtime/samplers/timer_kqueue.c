/* SPDX-License-Identifier: MIT */
/* Waits for a moment of the monotonic clock with kqueue, on BSD: a one-shot timer, and an event
   of the library's own that ends the wait earlier.  Without the timer a time limit of kevent
   replaces it.  Without the event the waiter cannot be woken, and checks the word at intervals.

   The timer is set anew for each wait, to the time left until the moment, so that no error adds
   up.  An absolute timer would follow the wall clock, which may be set.  The program may close
   the descriptor: then a new one is made.  Context: a thread of the library's own. */
#include <sys/types.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/event.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/samplers/timer_wait.h"

#define SECOND 1000000000L
#define POLL_INTERVAL (SECOND / 20) /* nanoseconds */
#define LONGEST (24 * 3600 * SECOND)

enum { WAKING = 1, TIMER }; /* numbers of the events */
enum { BY_TIMER, BY_LIMIT, WAYS };

#ifdef NOTE_NSECONDS
#define UNIT NOTE_NSECONDS
#define UNITS(nanoseconds) (nanoseconds)
#else
#define UNIT 0 /* milliseconds */
#define UNITS(nanoseconds) (((nanoseconds) + 999999) / 1000000)
#endif

/* False: no queue is available. */
static bool
open_queue (struct bbp_waiter *waiter)
{
  struct kevent waking;
  if (waiter->queue)
    return true;
  int queue = kqueue ();
  if (queue < 0)
    return false;
  fcntl (queue, F_SETFD, FD_CLOEXEC);
  EV_SET (&waking, WAKING, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
  waiter->deaf = kevent (queue, &waking, 1, NULL, 0, NULL) != 0;
  __atomic_store_n (&waiter->queue, queue + 1, __ATOMIC_RELEASE);
  return true;
}

/* Waits at most so long; returns 0, or the number of an error. */
static int
wait_for (struct bbp_waiter *waiter, long nanoseconds)
{
  const struct timespec limit = { nanoseconds / SECOND, nanoseconds % SECOND };
  const bool by_timer = waiter->way == BY_TIMER;
  struct kevent timer, event;
  EV_SET (&timer, TIMER, EVFILT_TIMER, EV_ADD | EV_ONESHOT, UNIT, UNITS (nanoseconds), NULL);
  int n = kevent (waiter->queue - 1, &timer, by_timer, &event, 1, by_timer ? NULL : &limit);
  return n < 0 ? errno : n > 0 && (event.flags & EV_ERROR) ? (int) event.data : 0;
}

static long
nanoseconds_until (uint64_t until, const struct bbp_waiter *waiter)
{
  const uint64_t now = bbp_clock_now (), most = waiter->deaf ? POLL_INTERVAL : LONGEST;
  const uint64_t left = until > now ? until - now : 0;
  return (long) (left < most ? left : most);
}

bool
bbp_wait_until (struct bbp_waiter *waiter, uint64_t until, int *word, int value)
{
  int error = 0;
  for (bool renewed = false; open_queue (waiter);)
    {
      const long left = nanoseconds_until (until, waiter);
      if (left == 0 || __atomic_load_n (word, __ATOMIC_ACQUIRE) != value)
        return true;
      error = wait_for (waiter, left);
      if (error == 0 || error == EINTR)
        return true;
      if (error == EBADF && !renewed)
        {
          renewed = true;
          waiter->queue = 0;
        }
      else if (++waiter->way == WAYS)
        return false;
    }
  return false;
}

/* Wakes the waiter.  One that has no queue yet needs no event: it reads *WORD before it waits. */
void
bbp_wait_end (struct bbp_waiter *waiter, int *word)
{
  struct kevent waking;
  const int queue = __atomic_load_n (&waiter->queue, __ATOMIC_ACQUIRE);
  (void) word;
  EV_SET (&waking, WAKING, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
  if (queue)
    kevent (queue - 1, &waking, 1, NULL, 0, NULL);
}
