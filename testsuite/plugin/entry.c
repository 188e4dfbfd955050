/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions with arguments in every register that may hold some; prints what they compute from
   them.  With -DLIBRARY: a support library whose __bb_init_func changes every register that a
   call may change, and forgets the unit at once, so that every function calls it again; prints
   the number of calls, unless THREADS make it uncertain. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef LIBRARY
#include "bbprof-abi.h"

void __bb_init_func (struct bb *);

static unsigned long calls;

__attribute__ ((destructor)) static void
report (void)
{
  fprintf (stderr, "%s\n", calls > 20 ? "called" : "not called");
}

#define SPOIL(mm, move)                                                                            \
  asm volatile(move " %%" mm "0, %%" mm "0, %%" mm "0\n\t" move " %%" mm "1, %%" mm "1, %%" mm     \
                    "1\n\t" move " %%" mm "2, %%" mm "2, %%" mm "2\n\t" move " %%" mm "3, %%" mm   \
                    "3, %%" mm "3\n\t" move " %%" mm "4, %%" mm "4, %%" mm "4\n\t" move " %%" mm   \
                    "5, %%" mm "5, %%" mm "5\n\t" move " %%" mm "6, %%" mm "6, %%" mm "6\n\t" move \
                    " %%" mm "7, %%" mm "7, %%" mm "7" ::                                          \
                        : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7")

__attribute__ ((target ("avx"))) static void
spoil_wide (void)
{
  SPOIL ("ymm", "vxorps");
}

void
__bb_init_func (struct bb *unit)
{
  bool right = unit->nwords == BBP_BB_SIZE_HISTORIC
               || (unit->nwords == sizeof *unit && unit->magic == BBP_ABI_MAGIC);
  calls += right && (long) __builtin_frame_address (0) % 16 == 0;
  if (__builtin_cpu_supports ("avx"))
    spoil_wide ();
  asm volatile(
      "pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\tpxor %%xmm2, %%xmm2\n\tpxor %%xmm3, %%xmm3\n\t"
      "pxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\tpxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7\n\t"
      "movq $-1, %%rax\n\tmovq $-1, %%rcx\n\tmovq $-1, %%rdx\n\tmovq $-1, %%rsi\n\tmovq $-1, "
      "%%rdi\n\t"
      "movq $-1, %%r8\n\tmovq $-1, %%r9\n\tmovq $-1, %%r10\n\tmovq $-1, %%r11" ::
          : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "rax", "rcx", "rdx",
            "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
}

#else

struct large {
  long a[5];
};
typedef float wide __attribute__ ((vector_size (32)));

#define NEVER_INLINE __attribute__ ((noipa))

NEVER_INLINE long
integers (long a, long b, long c, long d, long e, long f, long g)
{
  return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g;
}

NEVER_INLINE double
reals (double a, double b, double c, double d, double e, double f, double g, double h, double i)
{
  return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h + 19 * i;
}

NEVER_INLINE long double
long_reals (long double a, float b, _Complex double c)
{
  return a + b + __real__ c * 10 + __imag__ c * 100;
}

NEVER_INLINE struct large
structure (long a)
{
  return (struct large) { { a, a + 1, a + 2, a + 3, a + 4 } };
}

NEVER_INLINE double
variable (int n, ...)
{
  double sum = 0;
  va_list list;
  va_start (list, n);
  while (n--)
    sum += va_arg (list, double);
  va_end (list);
  return sum;
}

NEVER_INLINE __attribute__ ((target ("avx"))) static float
vectors (const wide *x, float factor)
{
  wide sum = x[0] * factor;
  return sum[0] + sum[1] * 10 + sum[6] * 100 + sum[7] * 1000;
}

NEVER_INLINE __attribute__ ((target ("avx"))) static wide
wide_arguments (wide a, wide b)
{
  return a + b;
}

NEVER_INLINE __attribute__ ((target ("avx"))) static float
call_wide (void)
{
  wide a = { 1, 2, 3, 4, 5, 6, 7, 8 }, b = { 0, 0, 0, 0, 0, 0, 0, 1 };
  wide sum = wide_arguments (a, b);
  return vectors (&sum, 2);
}

NEVER_INLINE static long
nested (long n)
{
  long sum = 0;
  auto void NEVER_INLINE add (long x);
  void add (long x) { sum += x; }
  for (long i = 0; i < n; i++)
    add (i);
  return sum;
}

int
main (void)
{
  printf ("%ld\n", integers (1, 2, 3, 4, 5, 6, 7));
  printf ("%g\n", reals (1, 2, 3, 4, 5, 6, 7, 8, 9));
  printf ("%Lg\n", long_reals (1, 2, 3 + 4i));
  printf ("%ld\n", structure (3).a[4]);
  printf ("%g\n", variable (3, 1.0, 2.0, 4.0));
  printf ("%g\n", __builtin_cpu_supports ("avx") ? call_wide () : 0);
  printf ("%ld\n", nested (20));
  return 0;
}
#endif
