/* SPDX-License-Identifier: MIT */
/* A program that shows itself while it works.  A row for each thread: the last second, in columns
   of 50 ms, as high as it had a processor, red where it had to wait for one longer than a tenth of
   the time; the last 40 ms, a column each: # it ran, r it was ready, . it slept; and what it sleeps
   for now.  Then a row for each counted function.

     cc -O2 overlay.c -o overlay -pthread -lbbprof                threads only
     gcc -O2 -pg -fplugin=bbprof overlay.c -o overlay -pthread    functions, too
     ./overlay [SECONDS]           on a terminal
     ./overlay --plain [SECONDS]   one table at the end */
#define _GNU_SOURCE
#include <bbprof.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 64, COLUMNS = 20, PERIOD = 50000000, MOMENTS = 40, MOMENT = 1000000 /* ns */ };
enum { STATES = BBPROF_SLEEPING + 1 };

/* How a thread spent its time: shares of a column, or of all. */
struct share {
  double run, wait;
};
static struct history {
  struct bbprof_thread_row first, last;
  struct share column[COLUMNS]; /* the newest at TICK % COLUMNS */
  /* From its intervals: nanoseconds in each state, up to UNTIL; the last moments, as letters. */
  unsigned long spent[STATES], until;
  char moments[MOMENTS + 1];
  const char *why;
} history[MOST];
static int nthreads;
static unsigned tick;

static struct {
  const char *name;
  int number; /* 0: it is not counted */
  struct bbprof_counts before, now;
} functions[] = { { .name = "spin" }, { .name = "step" } };
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void
sleep_until (struct timespec *time, long nanoseconds)
{
  time->tv_nsec += nanoseconds;
  time->tv_sec += time->tv_nsec / 1000000000;
  time->tv_nsec %= 1000000000;
  clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, time, NULL);
}

/* The work that is to be seen: nothing but work, nothing but sleep, half a millisecond of work in
   each ten, in steps. */
__attribute__ ((noinline)) static void *
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

static unsigned long steps;

__attribute__ ((noinline)) static long long
step (void)
{
  struct timespec cpu;
  __atomic_fetch_add (&steps, 1, __ATOMIC_SEQ_CST);
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &cpu);
  return cpu.tv_sec * 1000000000LL + cpu.tv_nsec;
}

static void *
work_a_little (void *name)
{
  struct timespec time;
  pthread_setname_np (pthread_self (), name);
  clock_gettime (CLOCK_MONOTONIC, &time);
  for (long long end = 0;; sleep_until (&time, 10000000))
    for (end += 500000; step () < end;)
      continue;
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
add_interval (struct history *h, const struct bbprof_interval *i)
{
  static const char letters[STATES] = { '?', '#', 'r', '.' };
  const unsigned long begin = i->begin > h->until ? i->begin : h->until;
  if (i->end > begin)
    h->spent[i->state] += i->end - begin;
  const long first = MOMENTS - (long) (h->last.time - i->begin) / MOMENT - 1,
             last = MOMENTS - (long) (h->last.time - i->end) / MOMENT - 1;
  for (long k = first < 0 ? 0 : first; k <= last && k < MOMENTS; k++)
    if (h->moments[k] != '#')
      h->moments[k] = letters[i->state];
}

static void
look_at_intervals (struct history *h)
{
  static struct bbprof_interval last[256];
  const int n = bbprof_intervals (h->last.tid, last, 256);
  memset (h->moments, ' ', MOMENTS);
  for (int i = 0; i < n; i++)
    add_interval (h, &last[i]);
  if (n > 0)
    {
      h->until = last[n - 1].end;
      h->why = last[n - 1].state == BBPROF_SLEEPING ? last[n - 1].why : "";
    }
}

static void
look_at_functions (void)
{
  for (int i = 0; i < FUNCTIONS; i++)
    if (functions[i].number > 0)
      {
        functions[i].before = functions[i].now;
        bbprof_function_counts (&functions[i].number, &functions[i].now, 1);
      }
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
      look_at_intervals (h);
    }
  look_at_functions ();
}

static void
draw_functions (void)
{
  for (int i = 0; i < FUNCTIONS; i++)
    if (functions[i].number > 0)
      {
        const struct bbprof_counts *now = &functions[i].now, *before = &functions[i].before;
        printf ("%-15s %12lu calls %9.0f a second %8.2f s\033[K\n", now->name, now->calls,
                (double) (now->calls - before->calls) * 1e9 / PERIOD, (double) now->time / 1e9);
      }
}

static void
draw (void)
{
  static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
  printf ("\033[H%-15s %5s %5s  %-*s %-*s switches\033[K\n", "thread", "run%", "wait%", COLUMNS,
          "the last second", MOMENTS, "the last 40 ms");
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
      printf ("\033[m %s %lu %s\033[K\n", h->moments, h->last.voluntary + h->last.involuntary,
              h->why ? h->why : "");
    }
  draw_functions ();
  printf ("\033[J");
  fflush (stdout);
}

static void
print (void)
{
  for (int i = 0; i < nthreads; i++)
    {
      const struct history *h = &history[i];
      struct share s = between (&h->first, &h->last);
      double all = 0;
      for (int k = 0; k < STATES; k++)
        all += h->spent[k] ? (double) h->spent[k] : 1e-9;
      printf ("%-15s run %.2f ready %.2f sleeping %.2f switches %lu", h->last.name, 100 * s.run,
              100 * s.wait, 100 * (1 - s.run - s.wait), h->last.voluntary + h->last.involuntary);
      printf (" | run %.2f ready %.2f sleeping %.2f | %s\n",
              100 * (double) h->spent[BBPROF_RUNNING] / all,
              100 * (double) h->spent[BBPROF_READY] / all,
              100 * (double) h->spent[BBPROF_SLEEPING] / all, h->why ? h->why : "");
    }
  for (int i = 0; i < FUNCTIONS; i++)
    if (functions[i].number > 0)
      printf ("function %s calls %lu time %.2f\n", functions[i].now.name, functions[i].now.calls,
              (double) functions[i].now.time / 1e9);
}

int
main (int argc, char **argv)
{
  static char names[][16] = { "spinner", "sleeper", "half in ten" };
  void *(*const work[]) (void *) = { spin, sleep_on, work_a_little };
  const int plain = argc > 1 && strcmp (argv[1], "--plain") == 0;
  const double seconds = argc > 1 + plain ? atof (argv[1 + plain]) : 10;
  unsigned long before = 0;
  struct timespec time;
  pthread_t thread;
  const int by = bbprof_intervals_start (0, 0);
  for (int i = 0; i < FUNCTIONS; i++)
    functions[i].number = bbprof_function_find (functions[i].name);
  for (int i = 0; i < 3; i++)
    pthread_create (&thread, NULL, work[i], names[i]);
  if (!plain)
    printf ("\033[2J");
  clock_gettime (CLOCK_MONOTONIC, &time);
  for (int i = 0; i < (int) (seconds * 1e9 / PERIOD); i++)
    {
      sleep_until (&time, PERIOD);
      before = __atomic_load_n (&steps, __ATOMIC_SEQ_CST);
      look ();
      if (!plain)
        draw ();
    }
  if (plain)
    print ();
  if (plain)
    printf ("steps %lu to %lu, intervals by %s\n", before,
            __atomic_load_n (&steps, __ATOMIC_SEQ_CST),
            by == BBPROF_BY_EVENTS  ? "events"
            : by == BBPROF_BY_POLLS ? "polls"
                                    : "nothing");
  return 0;
}
