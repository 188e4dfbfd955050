/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lives as Go programs do: many small stacks that the program has made itself and changes by a few
   instructions of its own, an alternate stack for signals in each thread, handlers that use it; the
   stacks have no room for a signal's frame, and there is a forbidden page below each of them. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "change_stack.h"

enum { ROUTINES = 64, STACK = 4096, ALTERNATE = 65536, THREADS = 3 };

struct routine {
  void *sp;
  uint64_t sum, rounds;
};

static __thread struct routine *current;
static __thread void *scheduler;

__attribute__ ((noipa)) static uint64_t
compute (uint64_t n, unsigned depth)
{
  if (depth)
    return compute (n, depth - 1) + 1;
  uint64_t sum = n;
  for (uint64_t i = 0; i < 2000; i++)
    sum = sum * 31 + (sum >> 7);
  return sum;
}

static void
be_routine (void)
{
  for (;;)
    {
      struct routine *me = current;
      me->rounds++;
      me->sum += compute (me->rounds, me->rounds % 20);
      change_stack (&me->sp, scheduler);
    }
}

static void
make (struct routine *r)
{
  char *memory = mmap (NULL, 2 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect (memory, STACK, PROT_NONE) != 0)
    abort ();
  uintptr_t *top = (uintptr_t *) (memory + 2 * STACK);
  *--top = 0; /* nothing has called it */
  *--top = (uintptr_t) be_routine;
  top -= 6;
  r->sp = top;
}

static void *
run (void *rounds)
{
  static __thread struct routine routines[ROUTINES];
  char *memory = malloc (ALTERNATE);
  stack_t alternate = { .ss_sp = memory, .ss_size = ALTERNATE }, none = { .ss_flags = SS_DISABLE };
  uint64_t sum = 0;
  sigaltstack (&alternate, NULL);
  for (int i = 0; i < ROUTINES; i++)
    make (&routines[i]);
  for (long n = 0; n < (long) rounds; n++)
    {
      current = &routines[n % ROUTINES];
      change_stack (&scheduler, current->sp);
    }
  for (int i = 0; i < ROUTINES; i++)
    sum = sum * 31 + routines[i].sum;
  sigaltstack (&none, NULL);
  free (memory);
  return (void *) sum;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];
  uint64_t sum = 0;
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, run, (void *) (argc > 1 ? atol (argv[1]) : 100000));
  for (int i = 0; i < THREADS; i++)
    {
      void *result;
      pthread_join (threads[i], &result);
      sum += (uint64_t) result;
    }
  printf ("%016llx\n", (unsigned long long) sum);
  return 0;
}
