/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks of the profiler's timer while threads burn CPU time and others wait, in the way that
   argv[1] names. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa))

static volatile int stop;
static int interrupted, nothing[2];
static sem_t never;

static void
block_all (void)
{
  sigset_t all;
  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, NULL);
}

NOIPA static void
spin (void)
{
  for (volatile int i = 0; i < 100000; i++)
    ;
}

/* Of CPU time: enough for some ticks. */
#define ENOUGH 0.3
static volatile int enough;

static void *
burn (void *blocks)
{
  if (blocks)
    block_all ();
  while (!stop)
    {
      struct timespec used;
      spin ();
      clock_gettime (CLOCK_THREAD_CPUTIME_ID, &used);
      enough |= (double) used.tv_sec + (double) used.tv_nsec / 1e9 >= ENOUGH;
    }
  return NULL;
}

static int
wait_on_condition (const struct timespec *until)
{
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock (&mutex);
  return pthread_cond_timedwait (&condition, &mutex, until);
}

/* Half a second in one of the calls that a signal can cut short; then read gets what main
   writes. */
static void *
sleep_by (void *which)
{
  struct timespec time = { 0, 500000000 }, until;
  struct timeval also = { 0, 500000 };
  struct pollfd fd = { nothing[0], POLLPRI, 0 };
  char byte;
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec++;
  int results[] = { 0, 0, 0, 0, 0, 0 };
  switch ((long) which)
    {
    case 0: results[0] = nanosleep (&time, NULL); break;
    case 1: results[1] = poll (&fd, 1, 500); break;
    case 2: results[2] = select (0, NULL, NULL, NULL, &also); break;
    case 3: results[3] = sem_timedwait (&never, &until) == -1 && errno == EINTR; break;
    case 4: results[4] = read (nothing[0], &byte, 1) != 1; break;
    default: results[5] = wait_on_condition (&until) == EINTR;
    }
  for (int i = 0; i < 6; i++)
    if (results[i])
      __atomic_fetch_add (&interrupted, 1, __ATOMIC_RELAXED);
  return NULL;
}

/* The burning thread has had its time; but no thread waits for ever. */
static void
wait_for_enough (void)
{
  const struct timespec nap = { 0, 10000000 };
  for (int i = 0; i < 3000 && !enough; i++)
    nanosleep (&nap, NULL);
  printf ("enough: %d\n", enough);
}

/* Six threads wait while one burns; which blocks all signals, or not. */
static void
slow_calls (void *blocks)
{
  pthread_t burner, sleepers[6];
  pthread_create (&burner, NULL, burn, blocks);
  for (long i = 0; i < 6; i++)
    pthread_create (&sleepers[i], NULL, sleep_by, (void *) i);
  sleep_by ((void *) 0);
  if (write (nothing[1], "x", 1) != 1)
    exit (1);
  for (int i = 0; i < 6; i++)
    pthread_join (sleepers[i], NULL);
  wait_for_enough ();
  stop = 1;
  pthread_join (burner, NULL);
  printf ("interrupted: %d\n", interrupted);
}

/* A program may handle all signals in one thread: a tick is none of them. */
static void
wait_for_all (void)
{
  pthread_t burner;
  sigset_t all;
  struct timespec time = { 0, 300000000 };
  block_all ();
  pthread_create (&burner, NULL, burn, &time);
  sigfillset (&all);
  printf ("came: %d\n", sigtimedwait (&all, NULL, &time));
  kill (getpid (), SIGPROF);
  printf ("came: %d\n", sigtimedwait (&all, NULL, &time) == SIGPROF);
  stop = 1;
  pthread_join (burner, NULL);
}

/* With much memory to copy the table of, and ticks all the time. */
static void
forks (void)
{
  enum { MEMORY = 256 << 20 };
  pthread_t burner;
  char *memory = malloc (MEMORY);
  memset (memory, 1, MEMORY);
  pthread_create (&burner, NULL, burn, NULL);
  int good = 0;
  for (int i = 0; i < 15; i++)
    {
      int status = -1;
      pid_t child = i % 3 == 0   ? fork ()
                    : i % 3 == 1 ? vfork ()
                                 : (pid_t) syscall (SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
      if (child == 0)
        _exit (7);
      waitpid (child, &status, 0);
      good += WIFEXITED (status) && WEXITSTATUS (status) == 7;
    }
  stop = 1;
  pthread_join (burner, NULL);
  printf ("children: %d\n", good);
}

int
main (int argc, char **argv)
{
  if (argc != 2 || pipe (nothing) || sem_init (&never, 0, 0))
    return 1;
  if (!strcmp (argv[1], "open"))
    slow_calls (NULL);
  else if (!strcmp (argv[1], "blocked"))
    slow_calls (argv);
  else if (!strcmp (argv[1], "all"))
    wait_for_all ();
  else
    forks ();
  return 0;
}
