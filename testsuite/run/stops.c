/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a program as a debugger does and prints the signals that it stops for: which, why, at what
   address; and if the program stands where it stood at the last stop, nothing, for that is the same
   one again. */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  int status;
  unsigned long long last = 0;
  pid_t child = fork ();
  if (child == 0 && argc > 1)
    {
      ptrace (PTRACE_TRACEME, 0, NULL, NULL);
      execv (argv[1], argv + 1);
      _exit (99);
    }
  while (waitpid (child, &status, 0) == child && WIFSTOPPED (status))
    {
      int number = WSTOPSIG (status);
      struct user_regs_struct registers;
      siginfo_t info;
      ptrace (PTRACE_GETREGS, child, NULL, &registers);
      ptrace (PTRACE_GETSIGINFO, child, NULL, &info);
      if (number != SIGTRAP && number != SIGPROF && registers.rip != last)
        {
          printf ("stop: %d, code %d, address %p\n", number, info.si_code,
                  info.si_code > 0 ? info.si_addr : NULL);
          last = registers.rip;
        }
      ptrace (PTRACE_CONT, child, NULL, (void *) (long) (number == SIGTRAP ? 0 : number));
    }
  printf ("end: %d %d\n", WIFSIGNALED (status), WTERMSIG (status));
  return 0;
}
