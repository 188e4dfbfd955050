/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads at the same time, one with three times the CPU time of the other, each in a function
   that no other thread enters; a third one sleeps meanwhile.  Each says what its clock says. */
#include "clocks.h"

#include <pthread.h>
#include <sys/prctl.h>

static long took[2];

#define THREAD(name, index, milliseconds)             \
  __attribute__ ((noipa)) static void *name (void *p) \
  {                                                   \
    prctl (PR_SET_NAME, #name);                       \
    while (now (CPU) < (milliseconds) * 1000000L)     \
      spin (10000);                                   \
    took[index] = now (CPU);                          \
    return p;                                         \
  }
THREAD (three, 0, 900)
THREAD (one, 1, 300)

static void *
sleeper (void *p)
{
  prctl (PR_SET_NAME, "sleeper");
  nanosleep (&(struct timespec) { 0, 900000000 }, NULL);
  return p;
}

int
main (void)
{
  void *(*const bodies[]) (void *) = { three, one, sleeper };
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    if (pthread_create (threads + i, NULL, bodies[i], NULL) != 0)
      return 1;
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  printf ("three %ld\none %ld\nall %ld\n", took[0], took[1], now (CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}
