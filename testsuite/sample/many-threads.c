/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many threads that only wait.

     many-threads N MILLISECONDS   N threads call a function a hundred times each and wait for the
                                   main one, which sleeps; prints the sum of
                                   what they have computed

   Status 77: there cannot be so many. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_barrier_t barrier;

__attribute__ ((noipa)) static int
step (int i)
{
  return i * 3 + 1;
}

static void *
wait_for_main (void *unused)
{
  long sum = 0;
  (void) unused;
  for (int i = 0; i < 100; i++)
    sum += step (i);
  pthread_barrier_wait (&barrier);
  return (void *) sum;
}

int
main (int argc, char **argv)
{
  int n = argc > 2 ? atoi (argv[1]) : 1;
  long sum = 0, milliseconds = argc > 2 ? atol (argv[2]) : 1;
  pthread_t *threads = calloc ((size_t) n, sizeof *threads);
  pthread_attr_t attributes;
  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, 65536);
  pthread_barrier_init (&barrier, NULL, (unsigned) n + 1);
  for (int i = 0; i < n; i++)
    if (pthread_create (&threads[i], &attributes, wait_for_main, NULL) != 0)
      exit (77);
  puts ("all are there");
  fflush (stdout);
  nanosleep (&(struct timespec) { milliseconds / 1000, milliseconds % 1000 * 1000000 }, NULL);
  pthread_barrier_wait (&barrier);
  for (int i = 0; i < n; i++)
    {
      void *result;
      pthread_join (threads[i], &result);
      sum += (long) result;
    }
  printf ("%ld\n", sum);
  return 3;
}
