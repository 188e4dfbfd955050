/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zombies [WAY]: works for a while, and is sure to have no child that it has not made: no wait
   finds one, before or after it has made its own, and no SIGCHLD comes for another.  WAY: how it
   ends: exit (return), _exit, exec (becomes true), sleep (writes its number to the file `pid', and
   waits to be killed), fork (a child works as well, and both end).  Status 2 and a line: something
   else was found. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t children_ended;
static volatile unsigned long sum;

static void
note_child (int number)
{
  (void) number;
  children_ended++;
}

static void
work (void)
{
  clock_t until = clock () + CLOCKS_PER_SEC / 20;
  while (clock () < until)
    for (int i = 0; i < 1000; i++)
      sum += (unsigned) i;
}

static void
expect_no_child (void)
{
  errno = 0;
  pid_t found = waitpid (-1, NULL, WNOHANG);
  if (found == -1 && errno == ECHILD)
    return;
  printf ("waitpid (-1) returned %d, %s\n", (int) found, strerror (errno));
  _exit (2);
}

static void
write_number (void)
{
  FILE *out = fopen ("pid", "w");
  if (!out || fprintf (out, "%d\n", (int) getpid ()) < 0 || fclose (out) != 0)
    _exit (3);
}

static void
fork_one (void)
{
  int status;
  pid_t child = fork ();
  if (child == 0)
    {
      expect_no_child ();
      work ();
      exit (0);
    }
  if (waitpid (child, &status, 0) != child || status != 0)
    _exit (4);
}

int
main (int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "exit";
  const bool forks = strcmp (way, "fork") == 0;
  signal (SIGCHLD, note_child);
  expect_no_child ();
  work ();
  if (forks)
    fork_one ();
  expect_no_child ();
  if (children_ended != forks)
    {
      printf ("%d times SIGCHLD\n", (int) children_ended);
      return 2;
    }
  if (strcmp (way, "sleep") == 0)
    write_number ();
  while (strcmp (way, "sleep") == 0)
    pause ();
  if (strcmp (way, "_exit") == 0)
    _exit (0);
  if (strcmp (way, "exec") == 0)
    execlp ("true", "true", (char *) NULL);
  return 0;
}
