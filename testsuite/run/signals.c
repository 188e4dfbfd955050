/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timer signal interrupts calls of ever new arcs, in several threads, and its handler makes calls
   too.  Prints how many calls of `handled' there were; each thread makes ROUNDS * 512 calls of
   `target' functions. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define NOIPA __attribute__ ((noipa))

static volatile long handled_calls;

NOIPA void handled (void);
NOIPA void
handled (void)
{
  __asm__ volatile ("");
}

/* 8 functions, called from 64 places each by the macros below: 512 arcs a round. */
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

static void
on_signal (int number)
{
  (void) number;
  for (int i = 0; i < 100; i++)
    handled ();
  __atomic_fetch_add (&handled_calls, 100, __ATOMIC_RELAXED);
}

NOIPA static void *
work (void *rounds)
{
  for (long i = 0; i < (long) rounds; i++)
    {
      CALL512
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  long rounds = argc > 1 ? atol (argv[1]) : 20000;
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  sigaction (SIGALRM, &action, NULL);
  struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
  setitimer (ITIMER_REAL, &often, NULL);
  for (int i = 0; i < 50; i++)
    {
      pthread_t threads[4];
      for (int t = 0; t < 4; t++)
        if (pthread_create (&threads[t], NULL, work, (void *) (rounds / 50)))
          return 1;
      for (int t = 0; t < 4; t++)
        pthread_join (threads[t], NULL);
    }
  setitimer (ITIMER_REAL, &never, NULL);
  printf ("%ld\n", handled_calls);
  return 0;
}
