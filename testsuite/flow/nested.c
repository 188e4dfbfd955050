// SPDX-License-Identifier: GPL-3.0-or-later
/* GNU C: nested functions, called directly and through trampolines, gotos out of them over
   frames, __builtin_setjmp, jumps between labels whose addresses are taken, statement
   expressions, cleanups. */
#include "places.h"

static volatile int sink;

APART void
note (int n)
{
  AT (noted);
  sink = n;
}

APART int
call_it (int (*f) (int), int n)
{
  AT (call_it);
  int result = f (n);
  AT (call_it_behind);
  note (result);
  return result;
}

APART int
outer (int n)
{
  __label__ out;
  int sum = 0, over = 0;
  APART int add (int k)
  {
    if (k == 100)
      FROM (outer);
    else
      FROM (outside); /* by a trampoline on the stack, which has gone when the profile is written */
    sum += k;
    return sum;
  }
  APART int leap (int k)
  {
    FROM (outside);
    if (k > 7)
      {
        AT (leap_out);
        note (k);
        goto out;
      }
    AT (leap_not);
    note (k);
    return k;
  }
  AT (outer);
  for (int i = 0; i < n; i++)
    {
      AT (outer_loop);
      call_it (add, i);
      AT (outer_called);
      note (add (100));
      call_it (leap, i);
      AT (outer_no_leap);
    }
  AT (outer_all);
  over = 1;
out:
  AT (outer_out);
  note (sum);
  return over;
}

static void *frame[5];

APART void
leave (int n)
{
  AT (leave);
  if (n & 1)
    {
      AT (leave_odd);
      __builtin_longjmp (frame, 1);
    }
  AT (leave_even);
}

APART void
builtin_jumps (int n)
{
  AT (builtin);
  if (__builtin_setjmp (frame) == 0)
    {
      AT (builtin_direct);
      leave (n);
      AT (builtin_behind);
      note (1);
    }
  else
    {
      AT (builtin_landed);
      note (2);
    }
  AT (builtin_end);
}

static void
clean (int *n)
{
  AT (cleaned);
  note (*n);
}

APART int
cleanups (int n)
{
  int here __attribute__ ((cleanup (clean))) = n;
  AT (cleanups);
  for (int i = 0; i < n; i++)
    {
      int there __attribute__ ((cleanup (clean))) = i;
      AT (cleanups_loop);
      if (i == 3)
        {
          AT (cleanups_break);
          break;
        }
      if (i == 20)
        return 1;
    }
  AT (cleanups_end);
  return ({ int last = here; if (last > 2) AT (expression); last; });
}

/* Goes on where the last call has stopped. */
APART int
resumable (void)
{
  static void *where;
  static int turn;
  if (where)
    {
      AT (resume);
      goto *where;
    }
  AT (first_turn);
  for (turn = 0; turn < 3; turn++)
    {
      AT (turn);
      where = &&resumed;
      return turn;
    resumed:
      AT (resumed);
      note (turn);
    }
  AT (turns_end);
  where = 0;
  return -1;
}

int
main (int count, char **words)
{
  AT (main);
  for (int i = 0; i < 12; i++)
    {
      AT (main_loop);
      note (outer (i));
      builtin_jumps (i);
      note (cleanups (i));
      note (resumable ());
    }
  AT (main_end);
  return 0;
}
