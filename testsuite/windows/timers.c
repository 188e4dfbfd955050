/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timers, with a round of samples that takes a given time in the place of the real one.
   timers TIMER PERIODIC ROUND_MS ROUNDS: prints the median of the intervals between the beginnings
   of two rounds, and of the time between a round's end and the next one's beginning, in
   milliseconds; and how often the system's timer was raised and lowered again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/os/win32/win32.h"

enum { MOST = 1000 };

struct bbp_collect_numbers bbp_collect_numbers;
static double begun[MOST], ended[MOST];
static volatile int rounds;
static int wanted, round_ms;
static int raised, lowered;

static double
now (void)
{
  return (double) bbp_clock_wall () / 1e6;
}

bool
bbp_collect_make (void)
{
  return true;
}

void
bbp_collect_round (void)
{
  if (rounds >= wanted)
    return;
  begun[rounds] = now ();
  if (round_ms)
    Sleep ((DWORD) round_ms);
  ended[rounds] = now ();
  rounds++;
}

/* In the place of the system's, which the library calls through these pointers. */
static unsigned WINAPI
raise_rate (unsigned ms)
{
  raised += ms == 1;
  return 0;
}
static unsigned WINAPI
lower_rate (unsigned ms)
{
  lowered += ms == 1;
  return 0;
}
void *__imp_timeBeginPeriod = (void *) raise_rate, *__imp_timeEndPeriod = (void *) lower_rate;

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static double
median (double *list, int n)
{
  qsort (list, (size_t) n, sizeof *list, compare);
  return list[n / 2];
}

int
main (int argc, char **argv)
{
  static const struct bbp_timer *const timers[]
      = { &bbp_timer_waitable, &bbp_timer_queue, &bbp_timer_sleep };
  static double intervals[MOST], gaps[MOST];
  const struct bbp_timer *timer = NULL;
  for (size_t i = 0; i < 3; i++)
    if (argc == 5 && strcmp (argv[1], timers[i]->name) == 0)
      timer = timers[i];
  if (!timer)
    return 99;
  round_ms = atoi (argv[3]);
  wanted = atoi (argv[4]);
  bbp_subject_set (GetCurrentProcess (), GetCurrentProcessId (), 0);
  double start = now ();
  if (!bbp_sampler_begin (timer, 100, *argv[2] == '1', true))
    return 98;
  for (int i = 0; i < 6000 && rounds < wanted; i++)
    Sleep (10);
  bbp_sampler_end ();
  if (rounds < wanted)
    return 97;
  for (int i = 1; i < wanted; i++)
    {
      intervals[i - 1] = begun[i] - begun[i - 1];
      gaps[i - 1] = begun[i] - ended[i - 1];
    }
  printf ("first %.1f interval %.2f gap %.2f least_gap ", begun[0] - start,
          median (intervals, wanted - 1), median (gaps, wanted - 1));
  printf ("%.2f raised %d lowered %d\n", gaps[0], raised, lowered);
  return 0;
}
