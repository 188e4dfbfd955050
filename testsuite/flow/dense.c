/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense: two threads that do little but enter, return and branch, in all ways of which a trace
   tells, until SIGTERM ends the process; so it ends in the middle of a trace point as a rule. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa))
enum { THREADS = 2, MICROSECONDS = 3000 };
static volatile unsigned long sum[THREADS];

NOIPA static unsigned
leaf (unsigned n)
{
  if (n & 1)
    return n * 3;
  return n + 1;
}

NOIPA static unsigned
loop (unsigned n)
{
  unsigned s = 0;
  for (unsigned i = 0; i < (n & 7); i++)
    {
      if (n >> i & 1)
        s += leaf (n + i);
      else
        s ^= i;
    }
  return s;
}

/* The call of leaf is the last thing that it does as a rule. */
NOIPA static unsigned
recursive (unsigned n)
{
  if (n < 2)
    return 1;
  return recursive (n / 2) + (n & 4 ? leaf (n) : 0);
}

NOIPA static unsigned
ways (unsigned n)
{
  switch (n % 6)
    {
    case 0:
      return 7;
    case 1:
      return leaf (n);
    case 2:
      n += 5;
      break;
    case 3:
      return loop (n);
    case 4:
      n ^= 3;
      break;
    default:
      n -= 2;
    }
  return n;
}

static void *
work (void *number)
{
  unsigned long me = (unsigned long) number, n = me * 7919 + 1;
  for (;;)
    {
      n = n * 6364136223846793005UL + 1442695040888963407UL;
      unsigned k = n >> 33;
      sum[me] += loop (k) + recursive (k & 1023) + ways (k);
    }
  return 0;
}

int
main (void)
{
  pthread_t thread;
  for (unsigned long i = 0; i < THREADS; i++)
    pthread_create (&thread, 0, work, (void *) i);
  usleep (MICROSECONDS);
  kill (getpid (), SIGTERM);
  for (;;)
    pause ();
}
