// SPDX-License-Identifier: GPL-3.0-or-later
// See jumps-sums.test: profiles are written while two threads are anywhere, at their trace points,
// too.
#include <atomic>
#include <thread>
#include <unistd.h>

#include "bbprof.h"

static std::atomic<bool> stop;

[[gnu::noinline]] static int
leaf (int n)
{
  asm volatile ("");
  return n & 1 ? n * 3 : n + 1;
}

[[gnu::noinline]] static int
loop (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum += leaf (i);
      if (sum & 4)
        sum += leaf (sum);
    }
  return sum;
}

static void
run (int n)
{
  while (!stop)
    loop (n);
}

int
main ()
{
  std::thread one (run, 100), other (run, 7);
  for (int i = 0; i < 50; i++)
    {
      usleep (2000);
      bbprof_dump ();
    }
  stop = true;
  one.join ();
  other.join ();
  return 0;
}
