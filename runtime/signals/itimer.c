/* SPDX-License-Identifier: MIT */
/* Replacements of setitimer and getitimer.  A program that sets the profiling timer gets the timer
   and its signal for itself; any other program sees no timer running.  Context: any, also a vfork
   child, which has timers of its own. */
#include <errno.h>
#include <sys/time.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/signals/signals.h"

static bool
is_running (const struct itimerval *value)
{
  return value && (value->it_value.tv_sec || value->it_value.tv_usec);
}

/* The library's timer stops first; else the program would overwrite it and see it as the old
   value. */
int
bbp_setitimer (int which, const struct itimerval *new, struct itimerval *old)
{
  bool profiling = which == ITIMER_PROF && bbp_own_process (),
       before = profiling && bbp_signals_above.take_timer (true);
  long result = bbp_arch_syscall (SYS_setitimer, which, (long) new, (long) old, 0, 0, 0);
  if (profiling)
    bbp_signals_above.take_timer (result < 0 ? before : is_running (new));
  if (result < 0)
    {
      errno = (int) -result;
      return -1;
    }
  return 0;
}

BBP_PUBLIC_WEAK int
setitimer (__itimer_which_t which, const struct itimerval *restrict new,
           struct itimerval *restrict old)
{
  return bbp_setitimer (which, new, old);
}

BBP_PUBLIC_WEAK int
getitimer (__itimer_which_t which, struct itimerval *value)
{
  long result = bbp_arch_syscall (SYS_getitimer, which, (long) value, 0, 0, 0, 0);
  if (result < 0)
    {
      errno = (int) -result;
      return -1;
    }
  if (which == ITIMER_PROF && bbp_own_process () && bbp_signals_above.timer_is_ours ())
    *value = (struct itimerval) { 0 };
  return 0;
}
