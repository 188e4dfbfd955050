/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four threads and a signal handler, which interrupts them as often as it can, pass the same blocks
   and call the same function.  `storm SIGNALS' ends when the handler has run that often, and prints
   how often step was called, and how often its odd branch was taken; its status is 1 if the program
   does not see its own handler. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4 };
static volatile bool stop;
static unsigned long calls, odds, signals;

/* The lines of the branches are what the test looks for. */
__attribute__ ((noipa)) static bool
step (unsigned n)
{
  if (n & 1)
    {
      __asm__ volatile ("" : : "r"(n)); /* odd */
      return true;
    }
  __asm__ volatile ("" : : "r"(n));
  return false;
}

static void
steps (unsigned n)
{
  unsigned long odd = 0;
  for (unsigned i = 0; i < n; i++)
    odd += step (i * 2654435761U >> 7);
  __atomic_fetch_add (&calls, n, __ATOMIC_RELAXED);
  __atomic_fetch_add (&odds, odd, __ATOMIC_RELAXED);
}

static void
on_signal (int number)
{
  (void) number;
  steps (7);
  __atomic_fetch_add (&signals, 1, __ATOMIC_RELAXED);
}

static void *
work (void *unused)
{
  while (!stop)
    steps (1000);
  return unused;
}

int
main (int count, char **words)
{
  unsigned long wanted = count > 1 ? strtoul (words[1], NULL, 10) : 1000;
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, seen;
  pthread_t threads[THREADS];
  sigaction (SIGUSR1, &action, NULL);
  sigaction (SIGUSR1, NULL, &seen);
  if (seen.sa_handler != on_signal || (seen.sa_flags & (SA_RESTART | SA_SIGINFO)) != SA_RESTART)
    return 1;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, work, NULL))
      return 1;
  while (__atomic_load_n (&signals, __ATOMIC_RELAXED) < wanted)
    for (int i = 0; i < THREADS; i++)
      pthread_kill (threads[i], SIGUSR1);
  stop = true;
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  printf ("%lu %lu\n", calls, odds);
  return 0;
}
