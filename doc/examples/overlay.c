/* SPDX-License-Identifier: MIT */
/* A program that shows its own threads while it works: a row for each, the newest 50 ms at its
   right end.  Height: how much of them it had a processor.  Green: nothing kept it from one; red:
   it had to wait for one, longer than a tenth of the time.

     cc -O2 overlay.c -o overlay -pthread -lbbprof
     ./overlay [SECONDS]           on a terminal
     ./overlay --plain [SECONDS]   one table at the end */
#define _GNU_SOURCE
#include <bbprof.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 64, COLUMNS = 60, PERIOD = 50000000 /* nanoseconds */ };

/* What a thread did with its time: shares of an interval, or of all. */
struct share {
  double run, wait;
};
static struct history {
  struct bbprof_thread_row first, last;
  struct share column[COLUMNS]; /* the newest at TICK % COLUMNS */
} history[MOST];
static int nthreads;
static unsigned tick;

static void
sleep_until (struct timespec *time, long nanoseconds)
{
  time->tv_nsec += nanoseconds;
  time->tv_sec += time->tv_nsec / 1000000000;
  time->tv_nsec %= 1000000000;
  clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, time, NULL);
}

/* The work that is to be seen: nothing but work, nothing but sleep, half a millisecond of work in
   each ten. */
static void *
spin (void *name)
{
  pthread_setname_np (pthread_self (), name);
  for (;;)
    __asm__ volatile("");
  return NULL;
}

static void *
sleep_on (void *name)
{
  pthread_setname_np (pthread_self (), name);
  for (struct timespec time = { .tv_sec = 1000 };;)
    nanosleep (&time, NULL);
  return NULL;
}

static void *
work_a_little (void *name)
{
  struct timespec time, cpu;
  pthread_setname_np (pthread_self (), name);
  clock_gettime (CLOCK_MONOTONIC, &time);
  for (long long end = 0;; sleep_until (&time, 10000000))
    for (end += 500000, cpu.tv_sec = cpu.tv_nsec = 0;
         cpu.tv_sec * 1000000000LL + cpu.tv_nsec < end;)
      clock_gettime (CLOCK_THREAD_CPUTIME_ID, &cpu);
  return NULL;
}

/* A thread that has just begun takes the place of one that has ended. */
static struct history *
history_of (const struct bbprof_thread_row *row, int i)
{
  if (i == nthreads && nthreads < MOST)
    history[nthreads++].first.tid = 0;
  if (history[i].first.tid != row->tid)
    history[i] = (struct history) { .first = *row, .last = *row };
  return &history[i];
}

/* WAIT grows when a thread gets its processor, so it may say more than there was time. */
static struct share
between (const struct bbprof_thread_row *a, const struct bbprof_thread_row *b)
{
  double time = b->time > a->time ? (double) (b->time - a->time) : 1;
  struct share s = { (double) (b->run - a->run) / time, (double) (b->wait - a->wait) / time };
  s.run = s.run < 1 ? s.run : 1;
  s.wait = s.run + s.wait < 1 ? s.wait : 1 - s.run;
  return s;
}

static void
look (void)
{
  struct bbprof_thread_row rows[MOST];
  int n = bbprof_monitor_snapshot (rows, MOST);
  tick++;
  nthreads = n < nthreads ? n < 0 ? 0 : n : nthreads;
  for (int i = 0; i < n && i < MOST; i++)
    {
      struct history *h = history_of (&rows[i], i);
      h->column[tick % COLUMNS] = between (&h->last, &rows[i]);
      h->last = rows[i];
    }
}

static void
draw (void)
{
  static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
  printf ("\033[H%-15s %5s %5s  %-*s switches\033[K\n", "thread", "run%", "wait%", COLUMNS,
          "the last three seconds");
  for (int i = 0; i < nthreads; i++)
    {
      const struct history *h = &history[i];
      const struct share *now = &h->column[tick % COLUMNS];
      printf ("%-15s %5.1f %5.1f  ", h->last.name, 100 * now->run, 100 * now->wait);
      for (unsigned k = tick + 1; k <= tick + COLUMNS; k++)
        {
          const struct share *s = &h->column[k % COLUMNS];
          printf ("\033[%dm%s", s->wait > 0.1 ? 31 : 32,
                  bars[(int) (8 * s->run + (s->run > 0 ? 0.99 : 0)) % 9]);
        }
      printf ("\033[m %lu\033[K\n", h->last.voluntary + h->last.involuntary);
    }
  printf ("\033[J");
  fflush (stdout);
}

static void
print (void)
{
  for (int i = 0; i < nthreads; i++)
    {
      struct share s = between (&history[i].first, &history[i].last);
      printf ("%-15s run %.2f ready %.2f sleeping %.2f switches %lu\n", history[i].last.name,
              100 * s.run, 100 * s.wait, 100 * (1 - s.run - s.wait),
              history[i].last.voluntary + history[i].last.involuntary);
    }
}

int
main (int argc, char **argv)
{
  static char names[][16] = { "spinner", "sleeper", "half in ten" };
  void *(*const work[]) (void *) = { spin, sleep_on, work_a_little };
  const int plain = argc > 1 && strcmp (argv[1], "--plain") == 0;
  const double seconds = argc > 1 + plain ? atof (argv[1 + plain]) : 10;
  struct timespec time;
  pthread_t thread;
  for (int i = 0; i < 3; i++)
    pthread_create (&thread, NULL, work[i], names[i]);
  if (!plain)
    printf ("\033[2J");
  clock_gettime (CLOCK_MONOTONIC, &time);
  for (int i = 0; i < (int) (seconds * 1e9 / PERIOD); i++)
    {
      sleep_until (&time, PERIOD);
      look ();
      if (!plain)
        draw ();
    }
  if (plain)
    print ();
  return 0;
}
