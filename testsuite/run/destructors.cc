/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that end: destructors of thread-local objects and of thread-specific
   data, several rounds of them, before and behind the library's own, while the main thread and
   others count in the same functions.  destructors ROUNDS: in each, WIDTH threads; prints how often
   each function was called. */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>

static std::atomic<long> truth[3];

extern "C" {
#define FUNCTION(name, n)                                                   \
  __attribute__ ((noipa)) void name (void) { truth[n].fetch_add (1, std::memory_order_relaxed); }
FUNCTION (in_thread, 0)
FUNCTION (in_object, 1)
FUNCTION (in_key, 2)
}

struct object {
  int calls = 0;
  ~object ()
  {
    for (int i = 0; i < calls; i++)
      in_object ();
  }
};

static thread_local object local;

enum { KEYS = 5, WIDTH = 4 };
static pthread_key_t keys[KEYS];

/* The value says how often it is to come again. */
template <int n>
static void
destroy (void *value)
{
  in_key ();
  if ((long) value > 1)
    pthread_setspecific (keys[n], (char *) value - 1);
}

static void *
work (void *unused)
{
  in_thread ();
  local.calls = 3;
  for (long i = 0; i < KEYS; i++)
    pthread_setspecific (keys[i], (void *) (i + 1));
  return unused;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 100;
  pthread_t threads[WIDTH];
  pthread_key_create (&keys[0], destroy<0>);
  in_thread ();
  /* Behind the library's. */
  pthread_key_create (&keys[1], destroy<1>);
  pthread_key_create (&keys[2], destroy<2>);
  pthread_key_create (&keys[3], destroy<3>);
  pthread_key_create (&keys[4], destroy<4>);
  for (int round = 0; round < rounds; round++)
    {
      for (pthread_t &thread : threads)
        if (pthread_create (&thread, nullptr, work, nullptr))
          return 1;
      for (int i = 0; i < 100; i++)
        in_key (), in_object ();
      for (pthread_t thread : threads)
        pthread_join (thread, nullptr);
    }
  printf ("%ld\n%ld\n%ld\n", truth[0].load (), truth[1].load (), truth[2].load ());
}
