/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See gs-base.c. */
#include <pthread.h>

static pthread_barrier_t made, given;
static pthread_t thread;
static void (*function) (void);

static void *
work (void *unused)
{
  pthread_barrier_wait (&made);
  pthread_barrier_wait (&given);
  function ();
  return unused;
}

__attribute__ ((constructor)) static void
make (void)
{
  pthread_barrier_init (&made, NULL, 2);
  pthread_barrier_init (&given, NULL, 2);
  pthread_create (&thread, NULL, work, NULL);
  pthread_barrier_wait (&made);
}

void library_run (void (*what) (void));
void library_wait (void);

void
library_run (void (*what) (void))
{
  function = what;
  pthread_barrier_wait (&given);
}

void
library_wait (void)
{
  pthread_join (thread, NULL);
}
