// SPDX-License-Identifier: MIT
// The same in C++: a template, an inline function, exceptions.
#include <cstdio>

static volatile long least_calls, least_true, least_other, twice_calls;
static volatile long thrower_calls, thrower_thrown, catcher_calls, catcher_back, catcher_caught;

template <class T>
__attribute__ ((noipa)) T
least (T a, T b)
{
  least_calls++;
  if (a < b)
    {
      least_true++;
      return a;
    }
  least_other++;
  return b;
}

__attribute__ ((noinline)) inline int
twice (int x)
{
  twice_calls++;
  asm volatile ("");
  return 2 * x;
}

__attribute__ ((noipa)) static int
thrower (int x)
{
  thrower_calls++;
  if (x % 3 == 0)
    {
      thrower_thrown++;
      throw x;
    }
  return twice (x);
}

__attribute__ ((noipa)) static int
catcher (int x)
{
  catcher_calls++;
  try
    {
      x = thrower (x);
      catcher_back++;
    }
  catch (int y)
    {
      catcher_caught++;
      x = -y;
    }
  return x;
}

int
main ()
{
  int s = 0;
  for (int i = 0; i < 100; i++)
    s += catcher (i);
  bool ok = s == 2 * (4950 - 1683) - 1683;
  for (int i = 0; i < 40; i++)
    ok &= least<double> (i, 20.5) == (i < 21 ? i : 20.5);
  std::printf ("least %ld %ld %ld\n", least_calls, least_true, least_other);
  std::printf ("twice %ld\n", twice_calls);
  std::printf ("thrower %ld %ld %ld\n", thrower_calls, thrower_thrown,
               thrower_calls - thrower_thrown);
  std::printf ("catcher %ld %ld %ld\n", catcher_calls, catcher_back, catcher_caught);
  std::printf ("unwound %ld\n", thrower_thrown);
  return !ok;
}
