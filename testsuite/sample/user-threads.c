/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks that are the thread's own, and others.  Each way computes the same sum in many turns, and
   prints it.

     user-threads swap N       turns on stacks of swapcontext's
     user-threads assembler N  on stacks that a few instructions of the program's change to; what
                               lies above them leads nowhere
     user-threads thread N     as swap, in a thread that is not the first
     user-threads plain N      in the first thread and another one, down to a depth that no sample
                               reaches
     user-threads given N      in a thread on a stack that the program has given it
     user-threads handler N    in a handler on an alternate stack
     user-threads disarmed N   the same, where the kernel forgets that stack as long as the handler
                               runs
     user-threads fork N       in a child that a thread has forked  */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "change_stack.h"

enum { ROUTINES = 8, STACK = 65536, GIVEN = 1 << 20, DEEP = 3000 };

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif

static uint64_t sum;
static long turns;

__attribute__ ((noipa)) static uint64_t
compute (uint64_t n, unsigned depth)
{
  if (depth)
    return compute (n, depth - 1) + 1;
  for (uint64_t i = 0; i < 20000; i++)
    n = n * 31 + (n >> 7);
  return n;
}

static void
turn (void)
{
  sum = sum * 17 + compute (sum, (unsigned) (sum % 20));
}

static void *
all_turns (void *unused)
{
  for (long i = 0; i < turns; i++)
    turn ();
  return unused;
}

static void *
deep_turns (void *unused)
{
  for (long i = 0; i < turns; i++)
    sum = sum * 17 + compute (sum, DEEP);
  return unused;
}

static ucontext_t scheduler, routines[ROUTINES];
static int current;

static void
be_routine (void)
{
  for (;;)
    {
      turn ();
      swapcontext (&routines[current], &scheduler);
    }
}

static void *
swap (void *unused)
{
  for (int i = 0; i < ROUTINES; i++)
    {
      getcontext (&routines[i]);
      routines[i].uc_stack.ss_sp = malloc (STACK);
      routines[i].uc_stack.ss_size = STACK;
      makecontext (&routines[i], be_routine, 0);
    }
  for (long i = 0; i < turns; i++)
    {
      current = (int) (i % ROUTINES);
      swapcontext (&scheduler, &routines[current]);
    }
  return unused;
}

static void *scheduler_sp, *routine_sp[ROUTINES];

static void
be_assembler_routine (void)
{
  for (;;)
    {
      turn ();
      change_stack (&routine_sp[current], scheduler_sp);
    }
}

static void
assembler (void)
{
  for (int i = 0; i < ROUTINES; i++)
    {
      char *memory = malloc (STACK);
      memset (memory, 0xa5, STACK);
      uintptr_t *top = (uintptr_t *) ((uintptr_t) (memory + STACK - 64) & -(uintptr_t) 16);
      *--top = 0xa5a5a5a5a5a5a5a5;
      *--top = (uintptr_t) be_assembler_routine;
      routine_sp[i] = top - 6;
    }
  for (long i = 0; i < turns; i++)
    {
      current = (int) (i % ROUTINES);
      change_stack (&scheduler_sp, routine_sp[current]);
    }
}

static void
in_thread (void *(*function) (void *), void *stack)
{
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init (&attributes);
  if ((stack && pthread_attr_setstack (&attributes, stack, GIVEN) != 0)
      || pthread_create (&thread, &attributes, function, NULL) != 0)
    abort ();
  pthread_join (thread, NULL);
  pthread_attr_destroy (&attributes);
}

static void
handle (int number)
{
  (void) number;
  all_turns (NULL);
}

static void
in_handler (int flags)
{
  const struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };
  const stack_t stack = { .ss_sp = malloc (GIVEN), .ss_size = GIVEN, .ss_flags = flags };
  if (sigaltstack (&stack, NULL) != 0)
    abort ();
  sigaction (SIGUSR1, &action, NULL);
  raise (SIGUSR1);
}

static void *
in_child (void *unused)
{
  fflush (stdout);
  if (fork () == 0)
    {
      all_turns (NULL);
      exit (0);
    }
  wait (NULL);
  all_turns (NULL);
  return unused;
}

int
main (int argc, char **argv)
{
  const char *how = argc > 2 ? argv[1] : "";
  turns = argc > 2 ? atol (argv[2]) : 0;
  if (!strcmp (how, "swap"))
    swap (NULL);
  else if (!strcmp (how, "assembler"))
    assembler ();
  else if (!strcmp (how, "thread"))
    in_thread (swap, NULL);
  else if (!strcmp (how, "plain"))
    {
      in_thread (deep_turns, NULL);
      deep_turns (NULL);
    }
  else if (!strcmp (how, "given"))
    in_thread (all_turns, aligned_alloc (4096, GIVEN));
  else if (!strcmp (how, "handler"))
    in_handler (0);
  else if (!strcmp (how, "disarmed"))
    in_handler ((int) SS_AUTODISARM);
  else if (!strcmp (how, "fork"))
    in_thread (in_child, NULL);
  else
    return 2;
  printf ("%016llx\n", (unsigned long long) sum);
  return 0;
}
