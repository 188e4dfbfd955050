/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends in the way that its argument says, behind a thousand calls; see linkers.test. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int work (int n) __attribute__ ((noinline));
int
work (int n)
{
  return n + 1;
}

static volatile sig_atomic_t caught;

static void
on_signal (int signal)
{
  (void) signal;
  caught = work (caught);
}

#ifdef OWN
/* A program's own functions of these names. */
int daemon (int nochdir, int noclose);
int
daemon (int nochdir, int noclose)
{
  return nochdir + noclose + 40;
}
int siginterrupt (int signal, int flag);
int
siginterrupt (int signal, int flag)
{
  return signal + flag;
}
#endif

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "return";
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    sum = work (sum);
#ifdef OWN
  if (daemon (1, 1) != 42 || siginterrupt (3, 4) != 7)
    return 1;
#endif
  sigset (SIGUSR1, on_signal);
  raise (SIGUSR1);
  if (sum != 1000 || caught != 1)
    return 1;
  if (strcmp (how, "_exit") == 0)
    _exit (3);
  if (strcmp (how, "exit_group") == 0)
    syscall (SYS_exit_group, 3);
  if (strcmp (how, "exec") == 0)
    execl ("/bin/sh", "sh", "-c", "exit 3", (char *) NULL);
  if (strcmp (how, "return") == 0)
    return 3;
  return 1;
}
