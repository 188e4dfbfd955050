// SPDX-License-Identifier: GPL-3.0-or-later
/* Exceptions: through three frames with and without cleanups, thrown again, caught in a loop,
   caught by type, out of constructors, through a function of libc, and not caught at all. */
#include "places.h"
#include <csignal>
#include <cstdlib>
#include <exception>
#include <stdexcept>

static volatile int sink;

APART void
note (int n)
{
  AT (noted);
  sink = n;
}

struct guard
{
  int n;
  guard (int n) : n (n) { note (n); }
  ~guard ()
  {
    AT (cleaned);
    note (n);
  }
};

struct fussy
{
  guard part;
  fussy (int n) : part (n)
  {
    AT (fussy);
    if (n == 4)
      {
        AT (fussy_throws);
        throw n;
      }
    note (n);
  }
};

APART void
deep (int n)
{
  AT (deep);
  note (n);
  if (n % 3 == 1)
    {
      AT (deep_throws_int);
      note (n);
      throw n;
    }
  if (n % 3 == 2)
    {
      AT (deep_throws_error);
      throw std::runtime_error ("deep");
    }
  AT (deep_returns);
  note (n);
}

/* No cleanup: the exception passes by. */
APART void
bare (int n)
{
  FROM (guarded);
  deep (n);
  AT (bare_behind);
  note (n);
}

APART void
guarded (int n)
{
  FROM (again);
  guard here (n);
  bare (n);
  AT (guarded_behind);
  if (n > 3)
    {
      AT (guarded_more);
      guard more (n);
      deep (n + 1);
      AT (guarded_more_behind);
    }
  note (n);
}

APART void
again (int n)
{
  FROM (loop);
  try
    {
      AT (again_try);
      guarded (n);
      AT (again_none);
      note (n);
    }
  catch (int value)
    {
      AT (again_caught);
      if (value > 5)
        {
          AT (again_thrown);
          note (n);
          throw;
        }
      AT (again_kept);
      note (n);
    }
  AT (again_end);
  note (n);
}

APART void
loop (int rounds)
{
  FROM (main);
  for (int i = 0; i < rounds; i++)
    {
      AT (loop_round);
      try
        {
          AT (loop_try);
          again (i);
          AT (loop_none);
          note (i);
        }
      catch (const std::exception &)
        {
          AT (loop_error);
          note (i);
          continue;
        }
      catch (int value)
        {
          AT (loop_int);
          note (value);
          if (value == 13)
            break;
        }
      AT (loop_end);
      note (i);
    }
  AT (loop_out);
  note (rounds);
}

APART void
built (int rounds)
{
  for (int i = 0; i < rounds; i++)
    try
      {
        AT (build);
        fussy first (i), second (i + 1);
        AT (built);
        note (i);
      }
    catch (...)
      {
        AT (not_built);
        note (i);
      }
  AT (built_out);
}

/* libc's qsort has unwind tables. */
APART static int
compare (const void *a, const void *b)
{
  FROM (outside);
  int left = *(const int *)a, right = *(const int *)b;
  if (left == 7 || right == 7)
    {
      AT (compare_throws);
      throw 7;
    }
  AT (compared);
  return left - right;
}

APART void
sorted (int last)
{
  int numbers[] = { 3, 1, 2, 5, 4, 6, last };
  AT (sorted);
  try
    {
      AT (sort);
      qsort (numbers, 7, sizeof *numbers, compare);
      AT (sort_done);
      note (numbers[0]);
    }
  catch (int)
    {
      AT (sort_thrown);
      note (last);
    }
  AT (sorted_behind);
  note (last);
}

/* Thrown while another one is being handled; kept for later. */
APART void
kept ()
{
  std::exception_ptr saved;
  for (int i = 0; i < 6; i++)
    {
      try
        {
          AT (keep);
          if (saved)
            {
              AT (keep_again);
              std::rethrow_exception (saved);
            }
          AT (keep_first);
          deep (4);
          AT (keep_never);
        }
      catch (...)
        {
          AT (keep_caught);
          saved = std::current_exception ();
          try
            {
              AT (keep_inner);
              deep (i);
              AT (keep_inner_none);
            }
          catch (const std::runtime_error &)
            {
              AT (keep_inner_error);
            }
          catch (int)
            {
              AT (keep_inner_int);
              saved = nullptr;
            }
        }
      AT (keep_end);
    }
  note (0);
}

APART void
leave () noexcept
{
  AT (leave);
  guard here (1);
  deep (1);
  AT (leave_never);
  note (1);
}

int
main (int count, char **words)
{
  AT (main);
  loop (20);
  built (8);
  sorted (0);
  sorted (7);
  kept ();
  AT (main_done);
  const char *way = count > 1 ? words[1] : "";
  if (!strcmp (way, "noexcept"))
    {
      AT (main_leave);
      leave ();
      AT (main_leave_never);
    }
  if (!strcmp (way, "nobody"))
    {
      AT (main_nobody);
      deep (1);
      AT (main_nobody_never);
    }
  if (!strcmp (way, "exit"))
    try
      {
        AT (main_try);
        deep (1);
        AT (main_try_never);
      }
    catch (int)
      {
        AT (main_caught);
        exit (3);
      }
  if (!strcmp (way, "killed"))
    {
      AT (main_killed);
      try
        {
          deep (2);
          AT (main_killed_never);
        }
      catch (const std::runtime_error &error)
        {
          AT (main_killed_caught);
          kill (getpid (), SIGKILL);
          AT (main_killed_behind);
        }
    }
  AT (main_end);
  note (2);
  return 0;
}
