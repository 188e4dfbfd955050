/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of all shapes that compilers make of C, and such of libc's; steps.c executes them. */
#include <alloca.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steps.h"

static volatile long sink = 1;
static jmp_buf where;

static long __attribute__ ((noinline))
leaf (long a)
{
  return a * 3 + 1;
}

static long __attribute__ ((noinline))
recursive (long n)
{
  return n > 0 ? recursive (n - 1) + leaf (n) : 1;
}

static long __attribute__ ((noinline))
tail (long n)
{
  sink += n;
  return recursive (n & 3);
}

static long __attribute__ ((noinline))
many_registers (long a, long b, long c, long d, long e, long f, long g, long h)
{
  long x = leaf (a) + leaf (b), y = leaf (c) * x, z = leaf (d) - y, w = leaf (e) ^ z;
  return x * leaf (f) + y * leaf (g) + z * leaf (h) + w;
}

static long __attribute__ ((noinline))
variable (long n)
{
  char array[n];
  char *more = alloca ((size_t) n * 2);
  memset (array, 1, (size_t) n);
  memset (more, 2, (size_t) n * 2);
  return array[n - 1] + more[n] + leaf (n);
}

static long __attribute__ ((noinline))
realigned (long n)
{
  long array[8] __attribute__ ((aligned (64)));
  for (int i = 0; i < 8; i++)
    array[i] = leaf (n + i);
  char more[n + 1];
  memset (more, 0, (size_t) n + 1);
  return array[n & 7] + more[n];
}

static void __attribute__ ((cold, noinline))
complain (long n)
{
  sink += snprintf (NULL, 0, "%ld", n);
}

static long __attribute__ ((noinline))
with_cold_part (long n)
{
  long x = leaf (n);
  if (__builtin_expect (x == 7, 0))
    {
      complain (x);
      x += recursive (2);
      complain (x + 1);
    }
  return x;
}

static int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

static void __attribute__ ((unused))
on_signal (int number, siginfo_t *info, void *context)
{
  (void) number, (void) info;
  steps_begin (context);
  sink += recursive (2) + variable (20);
  steps_end (context);
}

static void __attribute__ ((noinline, unused))
handle (bool elsewhere)
{
  static char stack[1 << 16];
  const stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action
      = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | (elsewhere ? SA_ONSTACK : 0) };
  sigaltstack (&other, NULL);
  sigaction (SIGALRM, &action, NULL);
  raise (SIGALRM);
}

/* The caller of longjmp is, by its own words, the one of setjmp. */
static void __attribute__ ((noinline))
jump (long n)
{
  steps_suspend (true);
  longjmp (where, (int) n);
}

static void __attribute__ ((noinline))
far_jump (void)
{
  if (setjmp (where) == 0)
    jump (sink | 1);
  steps_suspend (false);
  sink += leaf (2);
}

static void __attribute__ ((noinline))
libc (void)
{
  char text[200];
  int numbers[20];
  snprintf (text, sizeof text, "%g %d %s %.17g %Lg", 3.25, 42, "hello", 1e300 / 7, 1.5L);
  sink += (long) strtod (text, NULL) + strtol ("123", NULL, 10);
  for (int i = 0; i < 20; i++)
    numbers[i] = rand ();
  qsort (numbers, 20, sizeof *numbers, compare);
  void *memory = realloc (malloc (1000), 300000);
  sink += strcmp (text, "4") + (long) strlen (text) + (memchr (text, 'h', 9) != NULL);
  free (memory);
  sink += (long) (1000 * sin (text[0]) + pow (text[1], 0.3));
  sink += getenv ("HOME") != NULL;
}

void
subject (void)
{
  sink += tail (3) + many_registers (1, 2, 3, 4, 5, 6, 7, 8) + variable (30) + realigned (5)
          + with_cold_part (2);
  libc ();
#ifndef NO_HANDLERS /* our library's sigaction blocks signals */
  handle (false);
  handle (true);
#endif
  far_jump ();
}
