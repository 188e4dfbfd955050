/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that sleep, each in a way of its own: at different depths, in calls of libc that have
   frames of their own, below a callback, and below more stack than a sample has a copy of. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa)) static void
#define STAYS __asm__ volatile ("") /* the call before is no tail call */

static sem_t semaphore;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ends[2];

NOIPA
in_poll (int depth)
{
  if (depth > 0)
    in_poll (depth - 1);
  else
    poll (NULL, 0, -1);
  STAYS;
}

NOIPA
in_read (void)
{
  char c;
  if (read (ends[0], &c, 1) < 0)
    abort ();
  STAYS;
}

NOIPA
in_semaphore (void)
{
  sem_wait (&semaphore);
  STAYS;
}

NOIPA
in_condition (void)
{
  pthread_mutex_lock (&lock);
  for (;;)
    pthread_cond_wait (&condition, &lock);
}

static int
by_number (const void *a, const void *b)
{
  pause ();
  return a < b;
}

NOIPA
in_sort (void)
{
  int two[2] = { 2, 1 };
  qsort (two, 2, sizeof *two, by_number);
  STAYS;
}

NOIPA
in_sleep (void)
{
  nanosleep (&(struct timespec) { .tv_sec = 1000 }, NULL);
  STAYS;
}

NOIPA
in_large (int depth)
{
  volatile char room[3000];
  room[depth] = 1;
  if (depth > 0)
    in_large (depth - 1);
  else
    in_read ();
  STAYS;
}

static void *
thread (void *number)
{
  switch (*(int *) number)
    {
    case 0: in_poll (3); break;
    case 1: in_read (); break;
    case 2: in_semaphore (); break;
    case 3: in_condition (); break;
    case 4: in_sort (); break;
    case 5: in_sleep (); break;
    default: in_large (20); break;
    }
  return NULL;
}

int
main (void)
{
  static int numbers[] = { 0, 1, 2, 3, 4, 5, 6 };
  pthread_t made;
  if (sem_init (&semaphore, 0, 0) != 0 || socketpair (AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return 1;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (pthread_create (&made, NULL, thread, &numbers[i]) != 0)
      return 1;
  puts ("ready");
  fflush (stdout);
  in_poll (0);
}
