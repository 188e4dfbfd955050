/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks at known places: the signal that the process's timer would send, sent by the program itself, so that samples can be counted. */
#ifndef TICK_H
#define TICK_H

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void
tick (int n)
{
  siginfo_t info = { .si_signo = SIGPROF, .si_code = SI_KERNEL };
  while (n--)
    syscall (SYS_rt_tgsigqueueinfo, getpid (), syscall (SYS_gettid), SIGPROF, &info);
}

#endif
