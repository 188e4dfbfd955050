// SPDX-License-Identifier: GPL-3.0-or-later
/* C++20 coroutines that end, that are destroyed half-way, that wait for ever, that throw, one in
   another. */
#include "places.h"
#include <coroutine>
#include <csignal>
#include <exception>

static volatile int sink;

APART void
note (int n)
{
  AT (noted);
  sink = n;
}

struct task
{
  struct promise_type
  {
    int value = 0;
    std::exception_ptr error;
    task get_return_object ()
    { return task{ std::coroutine_handle<promise_type>::from_promise (*this) }; }
    std::suspend_always initial_suspend () { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    std::suspend_always yield_value (int n)
    {
      value = n;
      return {};
    }
    void return_void () {}
    void unhandled_exception () { error = std::current_exception (); }
  };
  std::coroutine_handle<promise_type> handle;

  APART bool step ()
  {
    AT (step);
    handle.resume ();
    AT (stepped);
    if (handle.promise ().error)
      {
        AT (step_failed);
        std::exception_ptr error = handle.promise ().error;
        handle.promise ().error = nullptr;
        std::rethrow_exception (error);
      }
    return !handle.done ();
  }
};

struct guard
{
  APART ~guard ()
  {
    AT (cleaned);
    note (1);
  }
};

task
counting (int n)
{
  AT (counting);
  guard here;
  for (int i = 0; i < n; i++)
    {
      AT (counting_loop);
      note (i);
      co_yield i;
      AT (counting_resumed);
      if (i & 1)
        AT (counting_odd);
      note (i);
    }
  AT (counting_end);
}

task
nested (int n)
{
  AT (nested);
  task inner = counting (n);
  while (inner.step ())
    {
      AT (nested_loop);
      co_yield inner.handle.promise ().value * 2;
      AT (nested_resumed);
    }
  AT (nested_end);
  inner.handle.destroy ();
}

task
failing (int n)
{
  AT (failing);
  guard here;
  for (int i = 0;; i++)
    {
      AT (failing_loop);
      if (i == n)
        {
          AT (failing_throws);
          throw i;
        }
      co_yield i;
      AT (failing_resumed);
    }
}

task
endless ()
{
  AT (endless);
  for (;;)
    {
      AT (endless_loop);
      co_yield 1;
      AT (endless_resumed);
      if (sink == -1)
        break;
      note (2);
    }
  AT (endless_never);
}

static task left_behind[3];

APART void
driven (int n)
{
  AT (driven);
  task all = counting (n);
  while (all.step ())
    {
      AT (driven_loop);
      note (3);
    }
  AT (driven_done);
  all.handle.destroy ();

  task half = counting (n);
  for (int i = 0; i < n / 2; i++)
    {
      AT (half_loop);
      half.step ();
    }
  AT (half_done);
  half.handle.destroy (); // suspended in the loop
  AT (half_destroyed);
  counting (n).handle.destroy (); // never begun

  task both = nested (n);
  while (both.step ())
    AT (both_loop);
  AT (both_done);
  both.handle.destroy ();

  task thrown = failing (n);
  try
    {
      while (thrown.step ())
        AT (thrown_loop);
      AT (thrown_never);
    }
  catch (int)
    {
      AT (thrown_caught);
      note (4);
    }
  AT (thrown_done);
  thrown.handle.destroy ();

  left_behind[0] = endless ();
  left_behind[1] = counting (n);
  left_behind[2] = nested (n);
  for (int i = 0; i < 9; i++)
    {
      AT (left_loop);
      if (i < 3 || i % 3 == 0)
        {
          AT (left_step);
          left_behind[i % 3].step ();
        }
    }
  AT (driven_end);
}

int
main (int count, char **words)
{
  AT (main);
  driven (6);
  if (count > 1)
    {
      AT (main_killed);
      kill (getpid (), SIGKILL);
    }
  AT (main_end);
  note (5);
  return 0;
}
