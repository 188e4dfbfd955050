/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be loaded before libc by programs that qemu runs on riscv64.  There the kernel's structure has
   the mask behind the flags (asm-generic/signal.h).  qemu 7.2 reads it one word later, so the
   library's handlers would run with no signal blocked.  Here the mask is in both places.  The
   library sets its handlers by this function, those of the program by another. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int
__sigaction (int number, const struct sigaction *action, struct sigaction *old)
{
  unsigned long set[4] = { 0 }, was[4] = { 0 };
  if (action)
    {
      set[0] = (unsigned long) action->sa_handler;
      set[1] = (unsigned long) action->sa_flags;
      set[2] = set[3] = *(const unsigned long *) &action->sa_mask;
    }
  if (syscall (SYS_rt_sigaction, number, action ? set : NULL, old ? was : NULL, 8))
    return -1;
  if (old)
    {
      *old = (struct sigaction) { .sa_flags = (int) was[1] };
      old->sa_handler = (void (*) (int)) was[0];
      *(unsigned long *) &old->sa_mask = was[3] ? was[3] : was[2];
    }
  return 0;
}
