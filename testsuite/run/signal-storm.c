/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals, as fast as they can be sent, to four threads at once that call ever new arcs.  The two
   handlers interrupt the counting, and each other, and make new arcs too.  `signal-storm
   MILLISECONDS' prints how often each of target0 to target7 was called, how often handled, and how
   many signals a second there were. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOIPA __attribute__ ((noipa))
enum { THREADS = 4 };

static volatile bool stop;
static long target_calls, handled_calls, signals;

NOIPA void handled (void);
NOIPA void
handled (void)
{
  __asm__ volatile ("");
}

/* 8 functions, called from 64 places each by the macros below: 512 arcs. */
#define TARGET(n)              \
  NOIPA void target##n (void); \
  NOIPA void target##n (void)  \
  {                            \
    __asm__ volatile ("");      \
  }
TARGET (0) TARGET (1) TARGET (2) TARGET (3) TARGET (4) TARGET (5) TARGET (6) TARGET (7)
#define CALL8 \
  target0 (); \
  target1 (); \
  target2 (); \
  target3 (); \
  target4 (); \
  target5 (); \
  target6 (); \
  target7 ();
#define CALL64 CALL8 CALL8 CALL8 CALL8 CALL8 CALL8 CALL8 CALL8
#define CALL512 CALL64 CALL64 CALL64 CALL64 CALL64 CALL64 CALL64 CALL64

/* One of 100 places that call handled. */
#define PLACE(n) case n: handled (); break;
#define PLACES10(n)                                                                   \
  PLACE (n)                                                                           \
  PLACE (n + 1) PLACE (n + 2) PLACE (n + 3) PLACE (n + 4) PLACE (n + 5) PLACE (n + 6) \
      PLACE (n + 7) PLACE (n + 8) PLACE (n + 9)
#define CALL_FROM(place)                                                                  \
  switch (place)                                                                          \
    {                                                                                     \
      PLACES10 (0)                                                                        \
      PLACES10 (10) PLACES10 (20) PLACES10 (30) PLACES10 (40) PLACES10 (50) PLACES10 (60) \
          PLACES10 (70) PLACES10 (80) PLACES10 (90)                                       \
    }

static void
on_signal (int number)
{
  static __thread unsigned place;
  unsigned n = place++;
  if (number == SIGUSR1)
    {
      CALL_FROM (n % 100)
    }
  else
    {
      CALL_FROM (n * 37 % 100)
    }
  handled ();
  __atomic_fetch_add (&handled_calls, 2, __ATOMIC_RELAXED);
  __atomic_fetch_add (&signals, 1, __ATOMIC_RELAXED);
}

NOIPA static void *
work (void *unused)
{
  long rounds = 0;
  for (; !stop; rounds++)
    {
      CALL512
    }
  __atomic_fetch_add (&target_calls, rounds * 64, __ATOMIC_RELAXED);
  return unused;
}

static double
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

int
main (int argc, char **argv)
{
  double seconds = argc > 1 ? atof (argv[1]) / 1000 : 0.3, begin = now ();
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  sigaction (SIGUSR1, &action, NULL);
  sigaction (SIGUSR2, &action, NULL);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, work, NULL))
      return 1;
  const struct timespec moment = { 0, 20000 };
  while (now () < begin + seconds)
    {
      for (int i = 0; i < THREADS; i++)
        {
          pthread_kill (threads[i], SIGUSR1);
          pthread_kill (threads[i], SIGUSR2);
        }
      nanosleep (&moment, NULL);
    }
  stop = true;
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld %ld %.0f\n", target_calls, handled_calls, (double) signals / seconds);
  return 0;
}
