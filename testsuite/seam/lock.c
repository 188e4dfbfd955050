/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's lock as one of libc's, which helgrind recognises; the real one
   (runtime/base/lock.c) consists of atomic instructions, in which helgrind sees no lock. */
#include <pthread.h>
#include <signal.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

bbp_sigset
bbp_signals_block (void)
{
  bbp_sigset all = ~0UL, old = 0;
  bbp_sys_sigmask (SIG_SETMASK, &all, &old);
  return old;
}

void
bbp_signals_restore (bbp_sigset old)
{
  bbp_sys_sigmask (SIG_SETMASK, &old, NULL);
}

bool
bbp_lock_try (bbp_sigset *old)
{
  *old = bbp_signals_block ();
  if (pthread_mutex_trylock (&mutex) == 0)
    return true;
  bbp_signals_restore (*old);
  return false;
}

bbp_sigset
bbp_lock (void)
{
  bbp_sigset old = bbp_signals_block ();
  pthread_mutex_lock (&mutex);
  return old;
}

void
bbp_unlock (bbp_sigset old)
{
  pthread_mutex_unlock (&mutex);
  bbp_signals_restore (old);
}

void
bbp_lock_reset (void)
{
  pthread_mutex_init (&mutex, NULL);
}
