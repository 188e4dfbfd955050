/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the program argv[2] in the way that argv[1] names, or itself, n times in a row, each time
   from a new folder. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

__attribute__ ((noipa)) static void
f (int n)
{
  __asm__ volatile ("" : "+r"(n));
}

__attribute__ ((noipa)) static void
burn (void)
{
  clock_t end = clock () + CLOCKS_PER_SEC / 50;
  while (clock () < end)
    for (volatile int i = 0; i < 10000; i++)
      ;
}

static int
wait_for (pid_t child)
{
  int status = -1;
  waitpid (child, &status, 0);
  return status;
}

/* Calls f once for each start that is left. */
static int
chain (char **argv)
{
  int left = atoi (argv[2]);
  char next[20];
  for (int i = 0; i < left; i++)
    f (i);
  burn ();
  if (left == 1)
    return 7;
  if (execv ("/nonexistent/program", argv) != -1 || errno != ENOENT)
    return 2;
  snprintf (next, sizeof next, "%d", left - 1);
  if (mkdir (next, 0777) || chdir (next))
    return 3;
  execl (argv[3], argv[0], argv[1], next, argv[3], (char *) NULL);
  return 4;
}

int
main (int argc, char **argv)
{
  char *const program[] = { argc > 2 ? argv[2] : NULL, NULL };
  const char *way = argv[1];
  pid_t child;
  int status = 99;
  if (!program[0])
    return 2;
  signal (SIGUSR1, SIG_IGN);
  burn ();
  if (!strcmp (way, "chain"))
    return chain (argv);
  if (!strcmp (way, "system"))
    status = system (program[0]);
  else if (!strcmp (way, "popen"))
    {
      char line[1000];
      FILE *pipe = popen (program[0], "r");
      while (pipe && fgets (line, sizeof line, pipe))
        fputs (line, stdout);
      status = pclose (pipe);
    }
  else if (!strcmp (way, "posix_spawn")
           && posix_spawn (&child, program[0], NULL, NULL, program, environ) == 0)
    status = wait_for (child);
  else if (!strcmp (way, "posix_spawnp")
           && posix_spawnp (&child, program[0], NULL, NULL, program, environ) == 0)
    status = wait_for (child);
  else if (!strcmp (way, "fork") || !strcmp (way, "vfork"))
    {
      child = !strcmp (way, "fork") ? fork () : vfork ();
      if (child == 0)
        {
          execv (program[0], program);
          _exit (98);
        }
      status = wait_for (child);
    }
  burn ();
  fflush (stdout);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 97;
}
