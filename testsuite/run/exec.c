/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses CPU time, so that the profiling timer runs, then becomes another program by the function
   that argv[1] names.  That program is not profiled; it uses CPU time too, for many ticks, and
   would be ended by the first one. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
burn (double seconds)
{
  clock_t end = clock () + (clock_t) (seconds * CLOCKS_PER_SEC);
  while (clock () < end)
    for (volatile int i = 0; i < 100000; i++)
      ;
}

int
main (int argc, char **argv)
{
  const char *how = argv[1], *target = argv[2];
  char *const args[] = { (char *) target, (char *) "0.1", NULL };
  char *const env[] = { (char *) "MARK=1", NULL };
  if (argc != 3)
    return 2;
  burn (0.05);
  if (!strcmp (how, "execve"))
    execve (target, args, env);
  else if (!strcmp (how, "execv"))
    execv (target, args);
  else if (!strcmp (how, "execvp"))
    execvp (strrchr (target, '/') + 1, args);
  else if (!strcmp (how, "execvpe"))
    execvpe (strrchr (target, '/') + 1, args, env);
  else if (!strcmp (how, "execl"))
    execl (target, target, "0.1", (char *) NULL);
  else if (!strcmp (how, "execlp"))
    execlp (strrchr (target, '/') + 1, target, "0.1", (char *) NULL);
  else if (!strcmp (how, "execle"))
    execle (target, target, "0.1", (char *) NULL, env);
  else if (!strcmp (how, "fexecve"))
    fexecve (open (target, O_RDONLY | O_CLOEXEC), args, env);
  else if (!strcmp (how, "execveat"))
    execveat (AT_FDCWD, target, args, env, 0);
  else if (!strcmp (how, "syscall"))
    syscall (SYS_execve, target, args, env);
  else if (!strcmp (how, "vfork"))
    {
      int status;
      if (vfork () == 0)
        {
          execv (target, args);
          _exit (99);
        }
      burn (0.05);
      return wait (&status) < 0 || status != 0;
    }
  else if (!strcmp (how, "fails"))
    {
      if (execv ("/nonexistent/program", args) != -1 || errno != ENOENT)
        return 3;
      if (execvp ("no-such-program-anywhere", args) != -1 || errno != ENOENT)
        return 4;
      burn (0.1);
      puts ("survived");
      return 0;
    }
  perror (how);
  return 1;
}
