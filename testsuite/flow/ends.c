// SPDX-License-Identifier: GPL-3.0-or-later
/* A process that ends in the middle of its calls: in a block with calls before and behind, in a
   loop, in a function of the third file. argv[1] selects the way to end. */
#include "places.h"
#include "ends.h"
#include <signal.h>

int way;
volatile int zero;

APART void
note (int n)
{
  AT (noted);
  if (n > 1000)
    AT (noted_much);
}

/* All in one block, but for the way that begins a new one. */
APART void
straight (int n)
{
  AT (straight);
  note (1);
  note (2);
  AT (straight_before);
  middle (n);
  AT (straight_behind);
  note (3);
  AT (straight_far_behind);
  note (4);
}

APART void
looped (int n)
{
  for (int i = 0; i < 50; i++)
    {
      AT (looped);
      if (i % 3 == 0)
        {
          AT (looped_third);
          note (i);
          straight (i < n ? 0 : 1);
          AT (looped_third_behind);
          note (i);
        }
      else
        {
          AT (looped_other);
          note (i);
        }
      AT (looped_end);
    }
  AT (looped_out);
  note (5);
}

static void
at_end (void)
{
  FROM (outside);
  note (6);
}

int
main (int count, char **words)
{
  AT (main);
  way = count > 1 ? words[1][0] : 'r';
  int when = count > 2 ? atoi (words[2]) : 1000;
  atexit (at_end);
  if (way == 'q')
    at_quick_exit (at_end);
  note (7);
  looped (when);
  AT (main_behind);
  note (8);
  return 3;
}
