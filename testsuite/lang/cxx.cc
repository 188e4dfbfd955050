// SPDX-License-Identifier: GPL-3.0-or-later
// The program of lib.sh in C++.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

static std::atomic<int> sum;

static void caught () { sum = 1; }
static int others (int n) { return n + 1; }

static int
fourth (int n)
{
  if (n % 20 == 0)
    throw n;
  return n;
}

static int
choose (int n)
{
  if (n % 4 == 0)
    return fourth (n) + 1;
  return others (n) - 1;
}

static void
work ()
{
  int s = 0;
  for (int n = 0; n < 1000; n++)
    try
      {
        s += choose (n);
      }
    catch (int)
      {
        caught ();
      }
  sum = s;
}

int
main ()
{
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back (work);
  for (auto &thread : threads)
    thread.join ();
  std::printf ("%d\n", sum.load ());
}
