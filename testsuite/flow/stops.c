// SPDX-License-Identifier: GPL-3.0-or-later
/* A program that is stopped between any two instructions of code with many branches, by the
   signal of a timer: with loops, switches, calls, recursion, and code that is never reached. */
#include "places.h"
#include <signal.h>
#include <time.h>

static volatile unsigned long turns;
static volatile int zero, sink;

// stopped leaf by 1
APART int
leaf (int n)
{
  if (n & 1)
    FROM (work);
  else
    FROM (tree);
  if (n % 5 == 3)
    {
      AT (leaf_three);
      return n / 2;
    }
  if (n < 0)
    {
      AT (leaf_never);
      return 1;
    }
  AT (leaf_end);
  return n;
}

// stopped tree by 1
APART int
tree (int n)
{
  if (n == 5)
    FROM (work);
  else
    FROM (tree);
  int sum = 0;
  if (n > 0)
    {
      AT (tree_down);
      sum = tree (n - 1);
      AT (tree_between);
      sum += leaf (2 * n);
      AT (tree_behind);
      if (n & 1)
        {
          AT (tree_odd);
          sum += tree (n - 2);
          AT (tree_odd_behind);
        }
    }
  sink = sum;
  AT (tree_end);
  return sum;
}

// stopped quiet by 1
// sum quiet_in = quiet_out
// sum quiet_head = quiet_low + quiet_middle + quiet_high
APART int
quiet (unsigned n)
{
  int sum = 0;
  AT (quiet_in);
  for (int i = 0; i < 40; i++)
    {
      AT (quiet_head);
      n = n * 1103515245 + 12345;
      if ((n >> 16 & 7) < 3)
        {
          AT (quiet_low);
          sum++;
          if (zero)
            AT (quiet_never);
        }
      else if ((n >> 16 & 7) < 6)
        {
          AT (quiet_middle);
          while ((n >> 20 & 3) != 0)
            {
              AT (quiet_inner);
              n = n * 1103515245 + 12345;
            }
          AT (quiet_inner_end);
        }
      else
        AT (quiet_high);
      AT (quiet_tail);
    }
  AT (quiet_out);
  return sum;
}

// stopped work by 1
APART void
work (void)
{
  for (;;)
    {
      AT (work);
      sink = quiet (turns);
      switch (turns++ % 4)
        {
        case 0:
          AT (work_leaf);
          sink = leaf (turns | 1);
          break;
        case 1:
          AT (work_tree);
          sink = tree (5);
          /* falls through */
        case 2:
          AT (work_two);
          break;
        default:
          AT (work_other);
        }
      if (turns == 0)
        {
          AT (work_never);
          break;
        }
    }
  AT (work_never_behind);
  sink = leaf (1);
}

int
main (int count, char **words)
{
  struct sigevent event;
  struct itimerspec when = { { 0, 0 }, { 0, atol (words[2]) * 1000 } };
  timer_t timer;
  AT (main);
  memset (&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = atoi (words[1]);
  timer_create (CLOCK_MONOTONIC, &event, &timer);
  timer_settime (timer, 0, &when, 0);
  AT (main_timer);
  work ();
  AT (main_never);
  return 0;
}
