/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads "one" and "three" use 0.1 and 0.3 s of CPU time, "sleeper" none. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void
burn (long milliseconds)
{
  struct timespec t;
  do
    {
      for (volatile int i = 0; i < 20000; i++)
        continue;
      clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
    }
  while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < milliseconds);
}

static void *
work (void *name)
{
  pthread_setname_np (pthread_self (), name);
  if (*(const char *) name == 's')
    usleep (100000);
  else
    burn (*(const char *) name == 'o' ? 100 : 300);
  return NULL;
}

int
main (void)
{
  static char names[3][8] = { "one", "three", "sleeper" };
  pthread_t thread[3];
  for (int i = 0; i < 3; i++)
    if (pthread_create (&thread[i], NULL, work, names[i]))
      return 1;
  for (int i = 0; i < 3; i++)
    pthread_join (thread[i], NULL);
  return 0;
}
