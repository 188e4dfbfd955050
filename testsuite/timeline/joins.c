/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A main thread that makes threads, which work, and joins them: it has no lock to wait for. */
#include <pthread.h>
#include <time.h>

static void *
work (void *unused)
{
  struct timespec t;
  do
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  while (t.tv_nsec < 30000000);
  return unused;
}

int
main (void)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
