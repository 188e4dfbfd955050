// SPDX-License-Identifier: GPL-3.0-or-later
/* Callers and callees: calls through pointers with one target, with four, with 64, with changing
   ones; from functions of libc and of a plain library; from the kernel, threads, timers, at
   exit; into an instrumented library and back; recursion; several callers at once; functions
   that are chosen when the program starts. */
#include "places.h"
#include "callers.h"
#include <search.h>
#include <signal.h>
#include <time.h>

static volatile int sink, done;

APART void
note (int n)
{
  AT (noted);
  sink = n;
}

APART int
add (int n)
{
  FROM (four_targets);
  return n + 1;
}

APART int
subtract (int n)
{
  FROM (four_targets);
  note (n);
  return n - 1;
}

APART int
twice (int n)
{
  FROM (four_targets);
  if (n > 10)
    {
      AT (twice_large);
      note (n);
    }
  return n * 2;
}

APART int
square (int n)
{
  FROM (four_targets);
  return n * n;
}

/* By a pointer and directly. */
APART int
shared (int n, int who)
{
  if (who == 1)
    FROM (one_target);
  else if (who == 2)
    FROM (direct);
  else if (who == 3)
    FROM (four_targets);
  else
    FROM (changing);
  return n;
}

typedef int operation (int);
typedef int shared_operation (int, int);

APART void
one_target (shared_operation *f, int times)
{
  for (int i = 0; i < times; i++)
    {
      AT (one_target);
      note (f (i, 1));
    }
}

APART void
direct (void)
{
  AT (direct);
  note (shared (1, 2));
  note (shared (2, 2));
}

APART void
four_targets (shared_operation *other)
{
  static operation *const table[] = { add, subtract, twice, square };
  for (int i = 0; i < 103; i++)
    {
      AT (four_targets);
      note (table[i % 4] (i));
      if (i % 5 == 0)
        {
          AT (four_fifth);
          note (other (i, 3));
        }
    }
}

APART int
early (int n)
{
  FROM (changing);
  return n;
}

APART int
late (int n)
{
  FROM (changing);
  note (n);
  return n;
}

/* Long one target, then another, then in turns. */
APART void
changing (shared_operation *other)
{
  operation *f = early;
  for (int i = 0; i < 3000; i++)
    {
      AT (changing);
      if (i == 1000)
        f = late;
      if (i > 2000)
        f = i & 1 ? early : late;
      note (f (i));
    }
  note (other (0, 4));
}

APART static int
compare (const void *a, const void *b)
{
  FROM (outside);
  int left = *(const int *)a, right = *(const int *)b;
  if (left < right)
    {
      AT (compare_less);
      return -1;
    }
  AT (compare_not_less);
  return left > right;
}

/* Called by libc and by one of ours. */
APART int
compare_also (const void *a, const void *b)
{
  if (*(const int *)b == -1)
    FROM (libc);
  else
    FROM (outside);
  note (1);
  return *(const int *)a - *(const int *)b;
}

/* libc's own, not its header's inline one. */
static void *(*volatile search) (const void *, const void *, size_t, size_t,
                                 int (*) (const void *, const void *)) = bsearch;

APART void
libc (void)
{
  int numbers[20], wanted = 9;
  for (int i = 0; i < 20; i++)
    numbers[i] = i * 7 % 20;
  AT (libc);
  qsort (numbers, 20, sizeof *numbers, compare);
  qsort (numbers, 20, sizeof *numbers, compare_also);
  search (&wanted, numbers, 20, sizeof *numbers, compare_also);
  AT (libc_sorted);
  int last = -1;
  compare_also (&wanted, &last);
  void *root = 0;
  for (int i = 0; i < 20; i++)
    {
      AT (libc_tree);
      tsearch (&numbers[i], &root, compare);
    }
  AT (libc_end);
}

APART int
callback (int n)
{
  FROM (outside);
  note (n);
  return n + 1;
}

/* A callback that calls the library that calls back. */
APART int
deep_callback (int n)
{
  FROM (outside);
  if (n > 0)
    {
      AT (deep_callback_more);
      note (plain_call (deep_callback, n - 1, 2));
    }
  return n;
}

APART int
callback_of_other (int n)
{
  FROM (other_call);
  note (n);
  return n;
}

/* Called by somebody's assembler. */
LINKAGE APART int
called_by_hand (int n)
{
  FROM (outside);
  note (n);
  return n;
}

LINKAGE int by_hand (int n);
asm (".text\n"
     ".type by_hand, @function\n"
     "by_hand: subq $8, %rsp\n"
     "call called_by_hand@PLT\n"
     "incl %eax\n"
     "addq $8, %rsp\n"
     "ret\n"
     ".size by_hand, .-by_hand");

APART void
libraries (void)
{
  AT (libraries);
  note (by_hand (1) + by_hand (2));
  note (plain_call (callback, 3, 11));
  note (plain_call (deep_callback, 4, 1));
  for (int i = 0; i < 6; i++)
    {
      AT (libraries_loop);
      note (other_add (i));
      if (i & 1)
        {
          AT (libraries_odd);
          note (other_call (callback_of_other, i));
        }
    }
  int (*pointer) (int) = other_sub;
  note (pointer (4));
  note (plain_call (other_sub, 1, 5));
}

static ALONE void
on_signal (int number)
{
  FROM (outside);
  note (number);
  done++;
}

static void *
thread (void *nothing)
{
  FROM (outside);
  note (2);
  return nothing;
}

static void
on_timer (union sigval value)
{
  FROM (outside);
  note (value.sival_int);
  __atomic_add_fetch (&done, 1, __ATOMIC_SEQ_CST);
}

static void
at_end (void)
{
  FROM (outside);
  note (3);
}

static void
at_end_too (int status, void *nothing)
{
  FROM (outside);
  note (4);
}

__attribute__ ((constructor)) static void
begin (void)
{
  FROM (outside);
  note (5);
}

#ifndef main /* a library that stays is left when the profile has been written */
__attribute__ ((destructor)) static void
end (void)
{
  FROM (outside);
  note (6);
}
#endif

APART void
kernel (void)
{
  AT (kernel);
  signal (SIGUSR1, on_signal);
  for (int i = 0; i < 7; i++)
    {
      AT (kernel_loop);
      raise (SIGUSR1);
    }
  pthread_t ids[3];
  for (int i = 0; i < 3; i++)
    pthread_create (&ids[i], 0, thread, 0);
  for (int i = 0; i < 3; i++)
    pthread_join (ids[i], 0);
  AT (kernel_joined);
  struct sigevent event;
  memset (&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = on_timer;
  struct itimerspec soon = { { 0, 0 }, { 0, 1000000 } };
  for (int i = 0; i < 3; i++)
    {
      timer_t timer;
      done = 0;
      AT (kernel_timer);
      timer_create (CLOCK_MONOTONIC, &event, &timer);
      timer_settime (timer, 0, &soon, 0);
      while (!done)
        usleep (1000);
      timer_delete (timer);
    }
  AT (kernel_end);
}

APART int
odd_sum (int n)
{
  if (n == 40)
    FROM (recursion);
  else
    FROM (even_sum);
  return n ? 1 + even_sum (n - 1) : 0;
}

APART int
even_sum (int n)
{
  FROM (odd_sum);
  int below = odd_sum (n - 1);
  note (n);
  return below + 2;
}

APART int
itself (int n)
{
  if (n == 12)
    FROM (recursion);
  else
    FROM (itself);
  if (n < 2)
    return n;
  int left = itself (n - 1);
  AT (itself_between);
  int right = itself (n - 2);
  note (n);
  return left + right;
}

APART void
recursion (void)
{
  AT (recursion);
  note (odd_sum (40));
  AT (recursion_between);
  note (itself (12));
}

__attribute__ ((target_clones ("avx2", "default"), noinline)) int
cloned (int n)
{
  FROM (chosen);
  note (n);
  return n * 3;
}

static int
chosen_one (int n)
{
  FROM (chosen);
  note (n);
  return n + 5;
}

static int
chosen_two (int n)
{
  AT (chosen_two_never);
  return n + 6;
}

LINKAGE operation *
choose (void)
{
  return sink == 0 ? chosen_one : chosen_two;
}

int chosen_function (int n) __attribute__ ((ifunc ("choose")));

APART void
chosen (void)
{
  for (int i = 0; i < 4; i++)
    {
      AT (chosen);
      note (cloned (i));
      note (chosen_function (i));
    }
}

int
main (int count, char **words)
{
  AT (main);
  atexit (at_end);
  on_exit (at_end_too, 0);
  one_target (shared, 1000);
  direct ();
  four_targets (shared);
  many_targets (2);
  changing (shared);
  libc ();
  libraries ();
  kernel ();
  recursion ();
  chosen ();
  AT (main_end);
  return 0;
}
