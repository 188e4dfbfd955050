/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See jumps.test.  What is done says the first argument. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "points.h"

FUNCTION (foo, "foo", "dir/foo.c", 1);
int
foo_body (int n)
{
  BEGIN (1);
  GO (2);
  LEAVE (n);
}

/* The example of the manual. */
FUNCTION (example, "example", "dir/main.c", 3);
int
example_body (int n)
{
  BEGIN (3);
  CALL (foo (n));
  CALL (foo (n));
  GO (4);
  LEAVE (n);
}

FUNCTION (recurse, "recurse", "dir/main.c", 5);
int
recurse_body (int n)
{
  BEGIN (5);
  if (n > 0)
    {
      GO (6);
      CALL (recurse (n - 1));
      CALL (foo (n));
    }
  GO (7);
  LEAVE (n);
}

static __thread jmp_buf place;

FUNCTION (throw, "throw", "dir/main.c", 8);
int
throw_body (int n)
{
  BEGIN (8);
  if (n == 0)
    longjmp (place, 1);
  GO (9);
  CALL (throw (n - 1));
  GO (10);
  LEAVE (n);
}

FUNCTION (catch, "catch", "dir/main.c", 11);
int
catch_body (int n)
{
  BEGIN (11);
  int thrown = setjmp (place);
  LAND (12);
  if (!thrown)
    {
      GO (13);
      CALL (throw (n));
    }
  GO (14);
  CALL (foo (n));
  LEAVE (n);
}

FUNCTION (compare, "compare", "dir/main.c", 15);
int
compare_body (int n)
{
  BEGIN (15);
  CALL (foo (n));
  GO (16);
  LEAVE (n);
}

/* Code without points calls back, from different depths. */
static int __attribute__ ((noinline))
library (int n)
{
  volatile char room[64 * (n + 1)];
  room[0] = 0;
  for (int i = 0; i < n; i++)
    compare (i);
  return n ? library (n - 1) + room[0] : 0;
}

FUNCTION (callbacks, "callbacks", "dir/main.c", 17);
int
callbacks_body (int n)
{
  BEGIN (17);
  CALL (library (n));
  GO (18);
  LEAVE (n);
}

/* The model hears of the return before the jump: so it was in the past, too. */
FUNCTION (tail, "tail", "dir/main.c", 19);
int
tail_body (int n)
{
  BEGIN (19);
  GO (20);
  expect_return ();
  return foo (n); /* a jump, at -O2 */
}

FUNCTION (tails, "tails", "dir/main.c", 21);
int
tails_body (int n)
{
  BEGIN (21);
  for (int i = 0; i < n; i++)
    {
      CALL (tail (i));
      GO (22);
    }
  LEAVE (n);
}

FUNCTION (leave_program, "leave_program", "dir/main.c", 23);
int
leave_program_body (int n)
{
  BEGIN (23);
  exit (n);
}

FUNCTION (leaving, "leaving", "dir/main.c", 24);
int
leaving_body (int n)
{
  BEGIN (24);
  CALL (leave_program (n));
  LEAVE (n);
}

FUNCTION (all, "ns::all(int)", "dir/all.cc", 25);
int
all_body (int n)
{
  BEGIN (25);
  CALL (example (n));
  GO (26);
  CALL (recurse (5));
  GO (27);
  CALL (catch (3));
  GO (28);
  CALL (callbacks (3));
  GO (29);
  CALL (tails (3));
  GO (30);
  LEAVE (n);
}

/* In a handler, on STACK or on a stack of its own; left by a jump if JUMPS. */
static sigjmp_buf out;
static volatile int jumps_out;

FUNCTION (handler, "handler", "dir/main.c", 31);
int
handler_body (int number)
{
  BEGIN (31);
  CALL (foo (number));
  GO (32);
  if (jumps_out)
    siglongjmp (out, 1);
  LEAVE (number);
}

int expect_interrupt (void);
void expect_resume (int);

static void
on_signal (int number)
{
  int before = expect_interrupt ();
  handler (number);
  expect_resume (before);
}

FUNCTION (interrupted, "interrupted", "dir/main.c", 33);
int
interrupted_body (int n)
{
  BEGIN (33);
  int left = sigsetjmp (out, 1);
  LAND (34);
  if (!left)
    raise (SIGUSR1);
  GO (35);
  CALL (foo (n));
  LEAVE (n);
}

static void
handle (int flags)
{
  static char room[65536];
  stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
  sigaltstack (&stack, NULL);
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = flags };
  sigaction (SIGUSR1, &action, NULL);
  jumps_out = 0;
  interrupted (1);
  jumps_out = 1;
  interrupted (1);
  interrupted (1);
}

static void *
run (void *unused)
{
  for (int i = 0; i < 1000; i++)
    all (i);
  return unused;
}

void expect_zero (void);

int
main (int argc, char **argv)
{
  pthread_t thread[4];
  for (int i = 1; i < argc; i++)
    if (!strcmp (argv[i], "example"))
      example (0);
    else if (!strcmp (argv[i], "all"))
      all (0);
    else if (!strcmp (argv[i], "leaving"))
      leaving (0);
    else if (!strcmp (argv[i], "handle"))
      handle (0);
    else if (!strcmp (argv[i], "handle-aside"))
      handle (SA_ONSTACK);
    else if (!strcmp (argv[i], "threads"))
      {
        for (int t = 0; t < 4; t++)
          pthread_create (&thread[t], NULL, run, NULL);
        for (int t = 0; t < 4; t++)
          pthread_join (thread[t], NULL);
      }
    else if (!strcmp (argv[i], "fork"))
      {
        if (fork ())
          {
            int status;
            wait (&status);
            return status != 0;
          }
        expect_zero ();
        if (chdir ("child"))
          return 1;
      }
  return 0;
}
