/* SPDX-License-Identifier: MIT */
/* Waits for a moment of CLOCK_MONOTONIC, in one of three ways, on Linux: some kernels lack some
   of them, and programs give some up (sandbox.c).  None is a POSIX timer.  Context: a thread of
   the library's own. */
#include <limits.h>
#include <linux/futex.h>

#include "runtime/base/sys.h"
#include "runtime/samplers/timer_wait.h"

static struct timespec
moment (uint64_t until)
{
  return (struct timespec) { (time_t) (until / 1000000000), (long) (until % 1000000000) };
}

/* Also ends when WORD changes. */
static long
by_futex (uint64_t until, int *word, int value)
{
  struct timespec end = moment (until);
  long result = bbp_sys_futex_until (word, FUTEX_WAIT_BITSET_PRIVATE, value, &end);
  return result == -ETIMEDOUT || result == -EAGAIN ? 0 : result;
}

static long
by_sleep (uint64_t until, int *word, int value)
{
  struct timespec end = moment (until);
  return __atomic_load_n (word, __ATOMIC_ACQUIRE) == value
             ? bbp_sys_sleep_until (CLOCK_MONOTONIC, &end)
             : 0;
}

/* A new descriptor for each wait: this is the last resort. */
static long
by_timerfd (uint64_t until, int *word, int value)
{
  const struct itimerspec once = { { 0, 0 }, moment (until) };
  uint64_t expired;
  if (__atomic_load_n (word, __ATOMIC_ACQUIRE) != value)
    return 0;
  long fd = bbp_sys_timer_file (CLOCK_MONOTONIC);
  if (fd < 0)
    return fd;
  long result = bbp_sys_set_timer_file ((int) fd, &once);
  if (result == 0)
    result = bbp_sys_read ((int) fd, &expired, sizeof expired);
  bbp_sys_close ((int) fd);
  return result < 0 ? result : 0;
}

/* The best first. */
static long (*const ways[]) (uint64_t until, int *word, int value)
    = { by_futex, by_sleep, by_timerfd };

void
bbp_wait_end (struct bbp_waiter *waiter, int *word)
{
  (void) waiter;
  bbp_sys_futex (word, FUTEX_WAKE_PRIVATE, INT_MAX);
}

bool
bbp_wait_until (struct bbp_waiter *waiter, uint64_t until, int *word, int value)
{
  if (until > LONG_MAX)
    until = LONG_MAX;
  for (; waiter->way < sizeof ways / sizeof *ways; waiter->way++)
    {
      long result = ways[waiter->way](until, word, value);
      if (result == 0 || result == -EINTR)
        return true;
    }
  return false;
}
