/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LIVE threads count at the same time, and main's stack grows by 4 MB meanwhile. */
#include <pthread.h>
#include <string.h>

enum { ROUNDS = 3, LIVE = 40, RUNS = 1000 };
static pthread_barrier_t all;

__attribute__ ((noipa)) static void
work (void)
{
  __asm__ volatile("");
}

static void *
run (void *unused)
{
  pthread_barrier_wait (&all);
  for (int i = 0; i < RUNS; i++)
    work ();
  pthread_barrier_wait (&all);
  return unused;
}

__attribute__ ((noipa)) static void
grow (char *unused)
{
  char stack[4 << 20];
  memset (stack, 1, sizeof stack);
  __asm__ volatile("" : : "r"(stack), "r"(unused) : "memory");
}

int
main (void)
{
  pthread_t threads[LIVE];
  pthread_barrier_init (&all, NULL, LIVE);
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < LIVE; i++)
        if (pthread_create (&threads[i], NULL, run, NULL) != 0)
          return 1;
      grow (NULL);
      for (int i = 0; i < LIVE; i++)
        pthread_join (threads[i], NULL);
    }
  return 0;
}
