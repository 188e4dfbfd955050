/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks at known places: the signal that the process's timer would send, sent by the program
   itself, so that samples can be counted.  The timer's own are stopped behind the library's
   back. */
#ifndef TICK_H
#define TICK_H

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static inline void
tick (int n)
{
  static const struct itimerval none = { { 0, 0 }, { 0, 0 } };
  siginfo_t info;
  info.si_signo = SIGPROF;
  info.si_errno = 0;
  info.si_code = SI_KERNEL;
  syscall (SYS_setitimer, ITIMER_PROF, &none, NULL);
  while (n--)
    syscall (SYS_rt_tgsigqueueinfo, getpid (), syscall (SYS_gettid), SIGPROF, &info);
}

#endif
