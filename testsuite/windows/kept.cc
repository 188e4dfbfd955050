// SPDX-License-Identifier: GPL-3.0-or-later
// What hooks must keep: vector registers with arguments, the last error, and the way of exceptions
// through instrumented frames.  Each thread begins with hooks that know neither it nor the arcs.
// Prints what was not kept.
#include <cstdio>
#include <windows.h>

static int wrong;

static __attribute__ ((noinline)) double
add (double a, float b, double c, double d)
{
  return a + 2 * b + 3 * c + 4 * d;
}

static double (*volatile by_pointer) (double, float, double, double) = add;

static __attribute__ ((noinline)) int
fall (int depth)
{
  struct guard {
    int *count;
    ~guard () { ++*count; }
  };
  static int count;
  guard g = { &count };
  if (depth == 0)
    throw 42;
  return fall (depth - 1) + 1;
}

static DWORD WINAPI
first (void *)
{
  SetLastError (1234);
  wrong += add (1, 2, 3, 4) != 30;
  wrong += by_pointer (1, 2, 3, 4) != 30;
  wrong += GetLastError () != 1234;
  for (int i = 0; i < 100; i++)
    try
      {
        fall (10);
        wrong++;
      }
    catch (int value)
      {
        wrong += value != 42;
      }
  return 0;
}

int
main ()
{
  for (int i = 0; i < 20; i++)
    {
      HANDLE thread = CreateThread (NULL, 0, first, NULL, 0, NULL);
      WaitForSingleObject (thread, INFINITE);
      CloseHandle (thread);
    }
  std::printf ("%d wrong\n", wrong);
  return wrong;
}
