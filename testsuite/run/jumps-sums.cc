// SPDX-License-Identifier: GPL-3.0-or-later
// See jumps-sums.test: calls of all kinds, ended in all ways, by five threads.
#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

[[gnu::noinline]] static int
thrower (int n)
{
  if (n % 3 == 0)
    throw std::runtime_error ("three");
  return n;
}

[[gnu::noinline]] static int
recursive (int n)
{
  return n < 2 ? n : recursive (n - 1) + recursive (n - 2);
}

static thread_local jmp_buf place;

[[gnu::noinline]] static int
jumper (int n)
{
  if (n % 2)
    longjmp (place, n);
  return n;
}

[[gnu::noinline]] static int
landing (int n)
{
  volatile int sum = 0;
  if (setjmp (place))
    sum += 1;
  else
    sum += jumper (n);
  return sum;
}

static int
compare (const void *a, const void *b)
{
  int x = *static_cast<const int *> (a), y = *static_cast<const int *> (b);
  return x < y ? -1 : x > y;
}

[[gnu::noinline]] static int
branches (int n)
{
  switch (n % 7)
    {
    case 0: return recursive (5);
    case 1: return 3;
    case 2: return thrower (1);
    case 3: return 9;
    case 4: return n;
    case 5: return branches (n + 1);
    default: return -1;
    }
}

static int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      try
        {
          sum += thrower (i);
        }
      catch (const std::exception &e)
        {
          sum += e.what ()[0];
        }
      sum += landing (i) + branches (i);
    }
  std::vector<int> v (n);
  for (int i = 0; i < n; i++)
    v[i] = i * 7919 % 1009;
  qsort (v.data (), v.size (), sizeof v[0], compare);
  std::sort (v.begin (), v.end (), [] (int a, int b) { return a > b; });
  return sum + recursive (12) + v[0];
}

int
main (int argc, char **)
{
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back ([] { work (300); });
  int result = work (100);
  for (auto &thread : threads)
    thread.join ();
  if (argc > 1)
    exit (result < 0);
  return result < 0;
}
