/* SPDX-License-Identifier: GPL-3.0-or-later */
/* More threads than the two processors it keeps to: some spin and yield, others hand each other the
   word, so they are preempted, give way, wait for a processor after each wake-up, and move between
   the two. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { SPINNERS = 3, PAIRS = 2, ROUNDS = 400 };

static pthread_mutex_t lock[PAIRS] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_cond_t turned[PAIRS] = { PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER };
static int turn[PAIRS];

static void
burn (long ns)
{
  struct timespec from, to;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &from);
  do
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &to);
  while ((to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec < ns);
}

static void *
spin (void *unused)
{
  (void) unused;
  pthread_setname_np (pthread_self (), "spinner");
  for (int i = 0; i < 60; i++)
    {
      burn (500000);
      sched_yield ();
    }
  return NULL;
}

/* NUMBER: twice the pair, and which of the two it is. */
static void *
hand_over (void *number)
{
  const int pair = *(int *) number / 2, me = *(int *) number % 2;
  char name[32];
  snprintf (name, sizeof name, "pair %d.%d", pair, me);
  pthread_setname_np (pthread_self (), name);
  for (int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&lock[pair]);
      while (turn[pair] != me)
        pthread_cond_wait (&turned[pair], &lock[pair]);
      turn[pair] = !me;
      pthread_cond_signal (&turned[pair]);
      pthread_mutex_unlock (&lock[pair]);
      if (i % 16 == 0)
        usleep (50);
    }
  return NULL;
}

/* The first two of the processors that it may use. */
static void
keep_to_two (void)
{
  cpu_set_t all, two;
  CPU_ZERO (&two);
  sched_getaffinity (0, sizeof all, &all);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT (&two) < 2; cpu++)
    if (CPU_ISSET (cpu, &all))
      CPU_SET (cpu, &two);
  sched_setaffinity (0, sizeof two, &two);
}

int
main (void)
{
  pthread_t threads[SPINNERS + 2 * PAIRS];
  int numbers[2 * PAIRS], n = 0;
  keep_to_two ();
  for (int i = 0; i < 2 * PAIRS; i++)
    {
      numbers[i] = i;
      pthread_create (&threads[n++], NULL, hand_over, &numbers[i]);
    }
  for (int i = 0; i < SPINNERS; i++)
    pthread_create (&threads[n++], NULL, spin, NULL);
  while (n > 0)
    pthread_join (threads[--n], NULL);
  return 0;
}
