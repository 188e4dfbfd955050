// SPDX-License-Identifier: GPL-3.0-or-later
/* OpenMP: loops with reductions and all schedules, sections, tasks, critical and single regions,
   in teams of four. */
#include "places.h"
#include <omp.h>

static volatile long sink;

APART void
note (long n)
{
  AT (noted);
  sink = n;
}

APART long
part (int n)
{
  AT (part);
  if (n % 3 == 0)
    {
      AT (part_third);
      return n;
    }
  return 1;
}

APART long
summed (int n)
{
  long sum = 0;
  AT (summed);
#pragma omp parallel for reduction(+ : sum) num_threads(4)
  for (int i = 0; i < n; i++)
    {
      AT (summed_loop);
      sum += part (i);
      if (i % 5 == 4)
        AT (summed_fifth);
    }
  AT (summed_behind);
  return sum;
}

APART long
scheduled (int n)
{
  long most = 0;
#pragma omp parallel num_threads(4) reduction(max : most)
  {
    AT (team);
#pragma omp for schedule(dynamic, 7) nowait
    for (int i = 0; i < n; i++)
      {
        AT (dynamic_loop);
        most = i > most ? i : most;
      }
#pragma omp for schedule(guided)
    for (int i = 0; i < n; i++)
      {
        AT (guided_loop);
        note (part (i));
      }
    AT (team_between);
#pragma omp single
    {
      AT (single);
      note (1);
    }
#pragma omp critical
    {
      AT (critical);
      note (2);
    }
#pragma omp sections
    {
#pragma omp section
      AT (section_one);
#pragma omp section
      AT (section_two);
    }
    AT (team_end);
  }
  AT (scheduled_behind);
  return most;
}

APART long
tasks (int n)
{
  AT (tasks);
  if (n < 2)
    {
      AT (tasks_leaf);
      return n;
    }
  long left, right;
#pragma omp task shared(left)
  {
    AT (task_left);
    left = tasks (n - 1);
    AT (task_left_end);
  }
#pragma omp task shared(right)
  {
    AT (task_right);
    right = tasks (n - 2);
    AT (task_right_end);
  }
#pragma omp taskwait
  AT (tasks_joined);
  return left + right;
}

APART long
simd (const float *a, float *b, int n)
{
  AT (simd);
#pragma omp parallel for simd num_threads(3)
  for (int i = 0; i < n; i++)
    b[i] = a[i] * 2 + b[i];
  AT (simd_behind);
  return b[n - 1] > 0;
}

int
main (int count, char **words)
{
  static float a[1000], b[1000];
  AT (main);
  for (int i = 0; i < 5; i++)
    {
      AT (main_loop);
      note (summed (1000 + i));
      note (scheduled (100 * i));
      note (simd (a, b, 1000));
    }
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    AT (main_single);
    note (tasks (9));
  }
  AT (main_end);
#pragma omp parallel num_threads(4)
  {
    AT (last_team);
    if (count > 1 && omp_get_thread_num () == 2)
      {
#pragma omp critical
        {
          AT (last_exit);
          exit (3);
        }
      }
    AT (last_waits);
    if (count > 1)
      for (;;)
        pause ();
  }
  AT (main_behind);
  return 0;
}
