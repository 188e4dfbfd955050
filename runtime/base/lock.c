/* SPDX-License-Identifier: MIT */
/* The one lock, for all cold code: attaching threads, registering modules, dumping.  All signals
   are blocked while it is held, so no handler of the holder can try to take it again. */
#include <linux/futex.h>
#include <signal.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

/* 0: free; 1: held; 2: held, and threads wait.  Taken with acquire, released with release order. */
static int lock_word;

bbp_sigset
bbp_signals_block (void)
{
  bbp_sigset all = ~0UL, old = 0;
  if (bbp_sys_sigmask (SIG_SETMASK, &all, &old) == 0)
    bbp_sandbox_keep_answer (true);
  return old;
}

void
bbp_signals_restore (bbp_sigset old)
{
  bbp_sys_sigmask (SIG_SETMASK, &old, NULL);
  bbp_sandbox_keep_answer (false);
}

static bool
try_lock (void)
{
  int seen = 0;
  return __atomic_compare_exchange_n (&lock_word, &seen, 1, false, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED);
}

/* For the library's handlers, which must not wait: the holder may need something that the
   interrupted thread has. */
bool
bbp_lock_try (bbp_sigset *old)
{
  *old = bbp_signals_block ();
  if (try_lock ())
    return true;
  bbp_signals_restore (*old);
  return false;
}

bbp_sigset
bbp_lock (void)
{
  bbp_sigset old = bbp_signals_block ();
  if (try_lock ())
    return old;
  while (__atomic_exchange_n (&lock_word, 2, __ATOMIC_ACQUIRE) != 0)
    bbp_sys_futex (&lock_word, FUTEX_WAIT_PRIVATE, 2);
  return old;
}

void
bbp_unlock (bbp_sigset old)
{
  if (__atomic_exchange_n (&lock_word, 0, __ATOMIC_RELEASE) == 2)
    bbp_sys_futex (&lock_word, FUTEX_WAKE_PRIVATE, 1);
  bbp_signals_restore (old);
}

void
bbp_lock_reset (void)
{
  __atomic_store_n (&lock_word, 0, __ATOMIC_RELEASE);
}
