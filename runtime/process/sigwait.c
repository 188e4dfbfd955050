/* SPDX-License-Identifier: MIT */
/* Replacements of sigwait, its relatives, and signalfd.  A thread that waits for all signals would
   take ticks, which also removes them from the library's handler.  So the signal of ticks, if the
   library chose it, is removed from the set.  If that signal is sent by other code, the handler
   queues it again (sigmask.c) and the wait ends.  A signalfd does not receive it.

   Only in the dynamic library, which passes the calls on to libc's, which are cancellation points.
   Context: any. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "runtime/base/base.h"
#include "runtime/sample/sample.h"

static struct {
  int (*wait) (const sigset_t *, siginfo_t *, const struct timespec *);
  int (*descriptor) (int, const sigset_t *, int);
} next;

static void __attribute__ ((constructor (101))) find_next (void)
{
  next.wait = dlsym (RTLD_NEXT, "sigtimedwait");
  next.descriptor = dlsym (RTLD_NEXT, "signalfd");
}

static bbp_sigset
ticks (void)
{
  return 1UL << (bbp_sampling.signal - 1);
}

static bool
has_ticks (const sigset_t *set)
{
  return bbp_sampler_shares_signal (bbp_sampling.signal) && (*(const bbp_sigset *) set & ticks ());
}

static sigset_t
without_ticks (const sigset_t *set)
{
  sigset_t rest = *set;
  *(bbp_sigset *) &rest &= ~ticks ();
  return rest;
}

/* Take a signal that was sent by other code and queued again; 0: there is none. */
static int
take_sent (siginfo_t *info)
{
  static const struct timespec now;
  siginfo_t found;
  sigset_t one;
  int saved = errno, number;
  sigemptyset (&one);
  *(bbp_sigset *) &one = ticks ();
  do
    number = next.wait (&one, &found, &now);
  while (number > 0 && bbp_sampling.sampler->ticks (&found) != BBP_NO_TICK);
  errno = saved;
  if (number > 0 && info)
    *info = found;
  return number > 0 ? number : 0;
}

/* As sigtimedwait; TIMEOUT null: no limit. */
static int
wait_for (const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
  if (!next.wait)
    find_next ();
  if (!has_ticks (set))
    return next.wait (set, info, timeout);
  sigset_t rest = without_ticks (set);
  int number = take_sent (info);
  if (!number)
    number = next.wait (&rest, info, timeout);
  if (number < 0 && errno == EINTR)
    {
      int sent = take_sent (info);
      number = sent ? sent : number;
    }
  return number;
}

BBP_PUBLIC_WEAK int
sigtimedwait (const sigset_t *restrict set, siginfo_t *restrict info,
              const struct timespec *restrict timeout)
{
  return wait_for (set, info, timeout);
}

BBP_PUBLIC_WEAK int
sigwaitinfo (const sigset_t *restrict set, siginfo_t *restrict info)
{
  return wait_for (set, info, NULL);
}

BBP_PUBLIC_WEAK int
sigwait (const sigset_t *restrict set, int *restrict number)
{
  int saved = errno, found;
  do
    found = wait_for (set, NULL, NULL);
  while (found < 0 && errno == EINTR);
  int error = found < 0 ? errno : 0;
  errno = saved;
  if (!error)
    *number = found;
  return error;
}

BBP_PUBLIC_WEAK int
signalfd (int fd, const sigset_t *set, int flags)
{
  if (!next.descriptor)
    find_next ();
  if (!has_ticks (set))
    return next.descriptor (fd, set, flags);
  sigset_t rest = without_ticks (set);
  return next.descriptor (fd, &rest, flags);
}
