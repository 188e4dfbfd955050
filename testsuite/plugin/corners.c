// SPDX-License-Identifier: GPL-3.0-or-later
/* Hard cases for counters: flags that live across blocks, functions that use every register,
   jumps that are no edges, unusual calling conventions, blocks that never end.  Prints its
   results; the output of the plain program is the right one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Callgrind loses calls that go through code on the stack, and lld makes no stack for them. */
#ifdef NO_TRAMPOLINE
#define CALL_TRAMPOLINE 17
#else
#define CALL_TRAMPOLINE tramp (6)
#endif
#define noipa __attribute__ ((__noipa__))
/* One comparison serves two jumps: the flags are live where the second one's block begins. */
noipa int
three_ways (long a, long b)
{
  if (a > b)
    return sprintf ((char[9]){ 0 }, "%ld", a);
  if (a == b)
    return rand () & 0;
  return sprintf ((char[9]){ 0 }, "%ld", b) * 100;
}
/* The same in a loop, where the ways are counted at their own heads. */
noipa long
three_rounds (long a, long b, long *p)
{
  while (1)
    {
      if (a < b)
        {
          p[0]++;
          b -= p[3];
        }
      else if (a == b)
        {
          p[1]++;
          a += p[5];
          if (p[1] > 5)
            return p[0] + p[2];
        }
      else
        {
          p[2]++;
          a -= p[4];
          if (p[2] > 100)
            return p[0] - p[1];
        }
    }
}
/* A jump that only the asm knows. */
noipa long
asm_jump (long a, long b, int c)
{
  long r = 0;
  asm goto("jmp %l2" : : "r"(a), "r"(b) : "cc" : next);
  r = 100;
next:
  asm volatile("" ::: "memory");
  return r + c;
}
/* More values than registers. */
noipa long
pressure (long *p, long n)
{
  long a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7], i = p[8],
       j = p[9], k = p[10], l = p[11];
  while (n--)
    {
      a += b ^ n;
      b += c;
      c += d ^ l;
      d += e;
      e += f;
      f += g;
      g += h;
      h += i;
      i += j;
      j += k;
      k += l;
      l += a;
      if (a & 1)
        {
          b ^= c;
          c ^= a;
        }
      if (d & 1)
        {
          e ^= f;
          f ^= a;
        }
      if (g & 2)
        {
          h ^= i;
          i ^= a;
        }
      if (j & 4)
        {
          k ^= l;
          l ^= a;
        }
    }
  return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l;
}
/* Every register that a call may change holds a value, in every block of the loop. */
noipa long
pinned (long n)
{
  register long ax asm("rax") = n, dx asm("rdx") = 2, cx asm("rcx") = 3, si asm("rsi") = 4,
                   di asm("rdi") = 5, r8 asm("r8") = 6, r9 asm("r9") = 7, r10 asm("r10") = 8,
                   r11 asm("r11") = 9;
  asm volatile(""
               : "+r"(ax), "+r"(dx), "+r"(cx), "+r"(si), "+r"(di), "+r"(r8), "+r"(r9), "+r"(r10),
                 "+r"(r11));
  for (;;)
    {
      asm volatile("add $1, %%rdx\n\tsub $1, %%rax"
                   : "+r"(ax), "+r"(dx), "+r"(cx), "+r"(si), "+r"(di), "+r"(r8), "+r"(r9),
                     "+r"(r10), "+r"(r11));
      if (ax <= 0)
        break;
      asm volatile("add %%rdx, %%r11\n\txor %%r11, %%rcx"
                   : "+r"(ax), "+r"(dx), "+r"(cx), "+r"(si), "+r"(di), "+r"(r8), "+r"(r9),
                     "+r"(r10), "+r"(r11));
    }
  asm volatile(""
               : "+r"(ax), "+r"(dx), "+r"(cx), "+r"(si), "+r"(di), "+r"(r8), "+r"(r9), "+r"(r10),
                 "+r"(r11));
  return ax + dx * 3 + cx * 5 + si * 7 + di * 11 + r8 * 13 + r9 * 17 + r10 * 19 + r11 * 23;
}
/* So do all vector registers, and the red zone is in use. */
noipa double
pinned_sse (long n)
{
  char red[64];
  memset (red, (int)n, sizeof red);
  asm volatile("" : "+m"(red));
  register long ax asm("rax") = n, dx asm("rdx") = 2, cx asm("rcx") = 3, si asm("rsi") = 4,
                   di asm("rdi") = 5, r8 asm("r8") = 6, r9 asm("r9") = 7, r10 asm("r10") = 8,
                   r11 asm("r11") = 9;
#define X(i) register double x##i asm("xmm" #i) = i;
  X (0)
  X (1)
  X (2) X (3) X (4) X (5) X (6) X (7) X (8) X (9) X (10) X (11) X (12) X (13) X (14) X (15)
#undef X
#define G "+r"(ax), "+r"(dx), "+r"(cx), "+r"(si), "+r"(di), "+r"(r8), "+r"(r9), "+r"(r10), "+r"(r11)
#define V1 "+x"(x0), "+x"(x1), "+x"(x2), "+x"(x3), "+x"(x4), "+x"(x5)
#define V2                                                                                       \
  "+x"(x6), "+x"(x7), "+x"(x8), "+x"(x9), "+x"(x10), "+x"(x11), "+x"(x12), "+x"(x13), "+x"(x14), \
      "+x"(x15)
      asm volatile(""
                   : G, V1);
  asm volatile("" : V2);
  for (;;)
    {
      asm volatile("add $1, %%rdx\n\tsub $1, %%rax\n\taddsd %%xmm1, %%xmm0" : G, V1);
      if (ax <= 0)
        break;
      asm volatile("add %%rdx, %%r11\n\txor %%r11, %%rcx\n\taddsd %%xmm2, %%xmm1" : G, V1);
      asm volatile("" : V2);
    }
  asm volatile("" : G, V1);
  asm volatile("" : V2);
  double s = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11 + x12 + x13 + x14 + x15;
  for (int i = 0; i < 64; i++)
    s += red[i];
  return s + ax + dx * 3 + cx * 5 + si * 7 + di * 11 + r8 * 13 + r9 * 17 + r10 * 19 + r11 * 23;
}
noipa int
computed (const unsigned char *s)
{
  static void *const t[] = { &&a, &&b, &&c, &&end };
  int r = 1;
#define NEXT goto *t[*s++]
  NEXT;
a:
  r += 3;
  NEXT;
b:
  r *= 2;
  NEXT;
c:
  r ^= 5;
  NEXT;
end:
  return r;
}
static jmp_buf env;
noipa void
jumper (int n)
{
  if (n > 2)
    longjmp (env, n);
}
noipa int
set (int n)
{
  volatile int c = 0;
  int v = setjmp (env);
  if (v)
    return c * 100 + v;
  for (int i = 0; i < n; i++)
    {
      c++;
      jumper (i);
    }
  return c;
}
noipa int
nested (int n)
{
  __label__ out;
  int acc = 0;
  noipa void add (int k)
  {
    if (k > 7)
      goto out;
    acc += k;
    if (k > 0)
      add (k - 1);
  }
  for (int i = 0; i < 20; i++)
    add (i);
out:
  return acc + n;
}
noipa int
call_it (int (*f) (int), int x)
{
  return f (x);
}
noipa int
tramp (int n)
{
  noipa int g (int x)
  {
    return x > 3 ? x + n : n;
  }
  return call_it (g, 3) + call_it (g, 5);
}
noipa double
va (int n, ...)
{
  va_list ap;
  va_start (ap, n);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += i & 1 ? va_arg (ap, double) : va_arg (ap, int);
  va_end (ap);
  return s;
}
typedef float v4 __attribute__ ((vector_size (16)));
noipa v4
vec (v4 a, v4 b, int n)
{
  while (n--)
    a = a * b + b;
  return a;
}
typedef struct
{
  long a, b, c, d;
} big;
noipa big
sret (int n)
{
  big r = { n, 2, 3, 4 };
  if (n > 3)
    r.d = n;
  return r;
}
noipa __int128
i128 (__int128 a, int n)
{
  while (n--)
    a = a * 3 + 1;
  return a;
}
noipa long double
ld (long double a, int n)
{
  while (n--)
    a = a * 1.5L + 1;
  return a;
}
__attribute__ ((ms_abi, __noipa__)) long
ms (long a, long b, long c, long d, long e)
{
  long s = 0;
  while (a--)
    s += b ^ c ^ d ^ e ^ a;
  return s;
}
__attribute__ ((no_caller_saved_registers, __noipa__, target ("general-regs-only"))) void
ncsr (long *p)
{
  for (int i = 0; i < 3; i++)
    if (p[i] > 1)
      p[i]++;
}
__attribute__ ((cold, __noipa__)) void
colder (int n)
{
  printf ("cold %d\n", n);
}
noipa int
split (int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    {
      if (__builtin_expect (i == 77, 0))
        {
          colder (i);
          s -= 5;
          if (s > 3)
            colder (s);
        }
      s += i;
    }
  return s;
}
noipa int
sw (int n)
{
  switch (n)
    {
    case 1:
      return 5;
    case 2:
      return 9;
    case 3:
      return 11;
    case 4:
      return 2;
    case 5:
      return 77;
    case 6:
      return n * 3;
    case 9:
      return 8;
    default:
      return -1;
    }
}
noipa int
tail (int n)
{
  return n > 0 ? tail (n - 1) : sw (n + 3);
}
noipa void
alloca_ (int n, char *out)
{
  char *p = __builtin_alloca (n);
  memset (p, 7, n);
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[i];
  *out = s;
}
__attribute__ ((__noipa__, noreturn)) static void
die (int n)
{
  printf ("dying %d\n", n);
  exit (3);
}
int
main (void)
{
  long p[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
  printf ("%ld %ld\n", asm_jump (1, 2, 3), pressure (p, 1000));
  printf ("%ld\n", three_rounds (1, 100, (long[]){ 0, 0, 0, 7, 1, 0 }));
  printf ("%d %d %d\n", three_ways (1, 2), three_ways (2, 2), three_ways (222, 2));
  printf ("%ld %ld\n", pinned (10), pinned (1));
  printf ("%g\n", pinned_sse (10));
  printf ("%d\n", computed ((const unsigned char *)"\0\1\2\0\0\1\3"));
  printf ("%d %d %d\n", set (2), set (9), nested (4));
  printf ("%d %g\n", CALL_TRAMPOLINE, va (5, 1, 2.5, 3, 4.5, 5));
  v4 r = vec ((v4){ 1, 2, 3, 4 }, (v4){ .5, .25, 1, 2 }, 4);
  printf ("%g %g %g %g\n", r[0], r[1], r[2], r[3]);
  big b = sret (9);
  printf ("%ld\n", b.a + b.d);
  printf ("%lld %Lg %ld\n", (long long)i128 (5, 30), ld (1, 20), ms (9, 2, 3, 4, 5));
  ncsr (p);
  printf ("%ld\n", p[2]);
  printf ("%d %d %d\n", split (100), sw (5), tail (9));
  char o;
  alloca_ (100, &o);
  printf ("%d\n", o);
  die (2);
}
