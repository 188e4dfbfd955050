/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The executable is counted through GS by the main thread and by one that a library has made, and
   that was known before the executable was: the library's constructor starts it, and main sends it
   through a function of its own.  Compiled with TAKE_GS it uses GS itself when its units
   register. */
#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void library_run (void (*) (void));
void library_wait (void);

__attribute__ ((noipa)) void
both (void)
{
  __asm__ volatile ("nop");
}

static void
many (void)
{
  for (int i = 0; i < 1000000; i++)
    both ();
}

#ifdef TAKE_GS
static __attribute__ ((no_instrument_function, constructor (99))) void
take (void)
{
  syscall (SYS_arch_prctl, ARCH_SET_GS, 0x1000);
}

static __attribute__ ((no_instrument_function, constructor (101))) void
give_back (void)
{
  syscall (SYS_arch_prctl, ARCH_SET_GS, 0);
}
#endif

int
main (void)
{
  library_run (many);
  many ();
  library_wait ();
  return 0;
}
