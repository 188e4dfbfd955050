/* SPDX-License-Identifier: MIT */
/* Intervals by polls of /proc, where the kernel refuses its records; and what a thread waits
   for.  Between two polls the sums say how long a thread ran, was ready and slept, not in which
   order: it is assumed to have begun with what it does not do at the end. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/base/task.h"
#include "runtime/self/intervals.h"
#include "runtime/switches/why.h"

/* PERIOD: between polls.  LEAST: shorter states are differences between two clocks. */
enum { PERIOD_NS = 1000000, LEAST_NS = 20000 };

static uint64_t last;

static const char *
behind_words (const char *text, int n)
{
  while (*text && n > 0)
    n -= *text++ == ' ';
  return text;
}

/* "TID (NAME) STATE ...  CPU": the name may contain anything, parentheses too. */
char
bbp_interval_state (int tid, int *cpu)
{
  enum { STATE_TO_CPU = 36 };
  char text[512];
  const char *end = NULL;
  if (bbp_task_read (tid, "/stat", text, sizeof text) <= 0)
    return '\0';
  for (const char *p = text; *p; p++)
    if (*p == ')')
      end = p;
  if (!end || !end[1])
    return '\0';
  const char *number = behind_words (end + 2, STATE_TO_CPU);
  *cpu = *number ? (int) bbp_task_number (number) : -1;
  return end[2];
}

/* By what the descriptor in the call's first argument refers to. */
static unsigned
why_by_descriptor (const char *call)
{
  char path[64] = "", what[64];
  struct bbp_text text = { .buffer = path, .size = sizeof path };
  bbp_text_string (&text, "/proc/self/fd/");
  bbp_text_number (&text, bbp_task_number (behind_words (call, 1)));
  long n = bbp_sys_readlink (path, what, sizeof what - 1);
  what[n > 0 ? n : 0] = '\0';
  return bbp_why_of_descriptor (what, 'S');
}

/* The file has "NUMBER ARGUMENT...", "-1 ..." of a thread in no call, or "running". */
const char *
bbp_interval_why (int tid)
{
  char call[256];
  if (bbp_task_read (tid, "/syscall", call, sizeof call) <= 0 || call[0] == 'r')
    return NULL;
  unsigned why = bbp_why_of_call (call[0] == '-' ? -1 : (long) bbp_task_number (call));
  if (why == BBP_WHY_BY_OPERATION)
    why = bbp_why_of_futex (bbp_task_number (behind_words (call, 2)));
  else if (why == BBP_WHY_BY_DESCRIPTOR)
    why = why_by_descriptor (call);
  return bbp_why_name (why);
}

/* The thread did this for the time, up to UNTIL. */
static uint64_t
spend (struct bbp_intervals *t, uint64_t from, uint64_t time, int state, int cpu)
{
  if (time >= LEAST_NS)
    bbp_intervals_change (t, from, state, state == BBPROF_RUNNING ? cpu : -1);
  return from + time;
}

struct sums {
  uint64_t run, wait, sleeps;
  int cpu;
  bool runs; /* or is ready */
};

/* False: the thread has ended. */
static bool
read_sums (int tid, struct sums *s)
{
  enum { LINES = 256 };
  char text[4 * LINES];
  *s = (struct sums) { .run = bbp_sys_nanoseconds (bbp_sys_thread_clock (tid)), .cpu = -1 };
  bbp_task_read (tid, "/schedstat", text, sizeof text);
  s->wait = bbp_task_number (behind_words (text, 1));
  bbp_task_end (tid, "/status", text, sizeof text, LINES);
  s->sleeps = bbp_task_number (bbp_task_behind (text, "\nvoluntary_ctxt_switches:\t"));
  char state = bbp_interval_state (tid, &s->cpu);
  s->runs = state == 'R';
  return state;
}

/* From the last poll to this one, at TIME.  The kernel adds up how long a thread was ready when it
   gets a processor; one that has not slept is ready where it does not run. */
static void
spend_all (struct bbp_intervals *t, const struct sums *s, uint64_t time)
{
  uint64_t all = time - last, run = s->run - t->run, wait = s->wait - t->wait;
  const uint64_t known = wait < t->assumed ? wait : t->assumed;
  wait -= known;
  run = run < all ? run : all;
  wait = wait < all - run ? wait : all - run;
  uint64_t sleep = all - run - wait, at = last, ready = 0;
  if (s->runs && s->sleeps == t->sleeps)
    ready = sleep;
  t->assumed = s->runs ? t->assumed - known + ready : 0;
  wait += ready;
  sleep -= ready;
  if (s->runs)
    at = spend (t, at, sleep, BBPROF_SLEEPING, -1);
  at = spend (t, at, wait, BBPROF_READY, -1);
  at = spend (t, at, run, BBPROF_RUNNING, s->cpu);
  if (!s->runs)
    spend (t, at, sleep, BBPROF_SLEEPING, -1);
}

/* Called with each thread in /proc. */
static void
poll (int tid, void *argument)
{
  const uint64_t time = *(uint64_t *) argument;
  struct sums s;
  struct bbp_intervals *t = bbp_intervals_of (tid, false);
  if (!read_sums (tid, &s))
    return;
  if (t)
    spend_all (t, &s, time);
  else
    t = bbp_intervals_add (tid, time, s.runs ? BBPROF_RUNNING : BBPROF_SLEEPING, BBPROF_BY_POLLS);
  if (!t)
    return;
  t->seen = true;
  t->run = s.run;
  t->wait = s.wait;
  t->sleeps = s.sleeps;
  const char *why = s.runs ? NULL : bbp_interval_why (tid);
  if (why && bbp_intervals_now (t)->state == BBPROF_SLEEPING)
    bbp_intervals_now (t)->why = why;
}

static void
end_unseen (struct bbp_intervals *t, uint64_t time)
{
  if (!t->seen)
    bbp_intervals_end (t, time);
  t->seen = false;
}

/* 0 or -errno. */
static int
poll_all (uint64_t time)
{
  uint64_t room[128];
  long error = bbp_task_all (poll, &time, room, sizeof room);
  if (error)
    return (int) error;
  bbp_intervals_each (end_unseen, time);
  last = time;
  return 0;
}

int
bbp_interval_polls_start (void)
{
  return poll_all (bbp_sys_nanoseconds (CLOCK_MONOTONIC));
}

uint64_t
bbp_interval_polls_take (void)
{
  uint64_t time = bbp_sys_nanoseconds (CLOCK_MONOTONIC);
  if (time - last >= PERIOD_NS)
    poll_all (time);
  return last;
}
