/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets marks, and says on stdout which: "TIME TID TEXT", by the clock that the timeline goes by.
   marks THREADS EACH: so many from each of some threads, and one from a handler in each; marks
   child: also in a forked child; marks killed: is killed by itself. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bbprof.h"

static int each;

static long long
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int
tid (void)
{
  return (int) syscall (SYS_gettid);
}

static void
mark (const char *text)
{
#ifdef BBPROF_OPTIONAL
  if (!bbprof_mark)
    return;
#endif
  bbprof_mark (text);
}

static void
interrupt (int number)
{
  (void) number;
  errno = 99;
  mark ("handler");
  if (errno != 99)
    abort ();
}

static void
say (const char *text)
{
  long long before = now ();
  mark (text);
  printf ("%d %lld %lld %s\n", tid (), before, now (), text);
}

static void *
work (void *name)
{
  char text[64];
  pthread_setname_np (pthread_self (), name);
  for (int i = 0; i < each; i++)
    {
      snprintf (text, sizeof text, "%s %d", (const char *) name, i);
      say (text);
      usleep (1000);
    }
  pthread_kill (pthread_self (), SIGUSR1);
  printf ("%d 0 0 handler\n", tid ());
  return NULL;
}

/* Until it is sure that its samples, and what else there is, have memory of their own. */
static void
be_a_child (void)
{
  volatile unsigned long n = 0;
  for (long long end = now () + 300000000; now () < end;)
    n++;
  say ("in the child");
}

int
main (int argc, char **argv)
{
  static char names[][8] = { "one", "two", "three", "four" };
  pthread_t threads[4];
  const int n = argc > 2 ? atoi (argv[1]) : 0;
  each = argc > 2 ? atoi (argv[2]) : 0;
  signal (SIGUSR1, interrupt);
  say ("first");
  for (int i = 0; i < n; i++)
    pthread_create (&threads[i], NULL, work, names[i]);
  for (int i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
  const char *more = argc == 2 ? argv[1] : "";
  fflush (stdout);
  if (strcmp (more, "child") == 0)
    {
      pid_t child = fork ();
      if (child == 0)
        be_a_child ();
      else
        waitpid (child, NULL, 0);
    }
  if (strcmp (more, "killed") == 0)
    kill (getpid (), SIGKILL);
  return 0;
}
