/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread that is made inside of a window and comes to its first counter when its maker has left
   the window.  What begins it is not compiled with counters. */
#include <pthread.h>
#include <semaphore.h>

#define NOT_COUNTED __attribute__ ((no_instrument_function, noipa))
#define COUNTED __attribute__ ((noipa))

static sem_t left;
static pthread_t thread;

COUNTED void
work (void)
{
  __asm__ volatile ("nop");
}

COUNTED void
chosen (int n)
{
  for (int i = 0; i < n; i++)
    work ();
}

COUNTED void
outside (void)
{
  for (int i = 0; i < 1000; i++)
    work ();
}

NOT_COUNTED static void *
begin (void *argument)
{
  sem_wait (&left);
  outside ();
  for (int i = 0; i < 500; i++)
    chosen (3);
  outside ();
  return argument;
}

COUNTED void
chosen_maker (void)
{
  chosen (7);
  pthread_create (&thread, NULL, begin, NULL);
}

/* Not the main thread, because its counters are the module's own. */
NOT_COUNTED static void *
make (void *argument)
{
  chosen_maker ();
  outside ();
  sem_post (&left);
  pthread_join (thread, NULL);
  return argument;
}

int
main (void)
{
  pthread_t maker;
  sem_init (&left, 0, 0);
  pthread_create (&maker, NULL, make, NULL);
  pthread_join (maker, NULL);
  return 0;
}
