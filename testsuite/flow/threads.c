// SPDX-License-Identifier: GPL-3.0-or-later
/* Threads that end in the middle, or never: cancelled while they wait, in a loop, at any
   instruction; by pthread_exit below three frames; waiting or running when the process ends. */
#include "places.h"
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

enum { THREADS = 4 };
static volatile int zero, ready, tids[THREADS];
static volatile unsigned long turns[THREADS];

APART void
note (int n)
{
  AT (noted);
  if (n > 1000)
    AT (noted_much);
}

static void
clean (void *nothing)
{
  AT (clean);
  note (1);
}

static ALONE void
say_ready (void)
{
  AT (ready);
  __atomic_add_fetch (&ready, 1, __ATOMIC_SEQ_CST);
}

/* It sleeps in the kernel, or has used so much CPU time that it spins: what comes before that is
   over. */
PLAIN static int
is_settled (pthread_t id, int tid)
{
  char text[512] = "";
  const char *state;
  struct timespec used = { 0, 0 };
  clockid_t clock;
  FILE *file;
  snprintf (text, sizeof text, "/proc/self/task/%d/stat", tid);
  file = fopen (text, "r");
  state = file && fgets (text, sizeof text, file) ? strrchr (text, ')') : 0;
  if (file)
    fclose (file);
  if (pthread_getcpuclockid (id, &clock) == 0)
    clock_gettime (clock, &used);
  return (state && state[2] == 'S') || used.tv_sec > 0 || used.tv_nsec > 10000000;
}

static ALONE void
await_ready (const pthread_t *ids)
{
  AT (await);
  while (__atomic_load_n (&ready, __ATOMIC_SEQ_CST) < THREADS)
    usleep (1000);
  for (int i = 0; i < THREADS; i++)
    while (!is_settled (ids[i], tids[i]))
      usleep (1000);
}

APART void
wait_here (int n)
{
  FROM (deeper);
  note (n);
  say_ready ();
  AT (waiting);
  for (;;)
    {
      pause ();
      AT (wait_never);
      if (zero)
        break;
    }
  AT (wait_behind);
  note (n);
}

APART void
leave_here (int n)
{
  FROM (deeper);
  note (n);
  if (n >= 0)
    {
      AT (leaving);
      pthread_exit (0);
    }
  AT (leave_never);
  note (n);
}

APART void
poll_here (int n)
{
  FROM (deeper);
  say_ready ();
  for (;;)
    {
      AT (poll);
      usleep (100);
      AT (poll_behind);
      if (zero)
        break;
    }
  AT (poll_never);
  note (n);
}

// sum spin_head = spin_none + spin_one + spin_more
// running spin_here by 4
APART void
spin_here (int n)
{
  int old;
  FROM (deeper);
  pthread_setcanceltype (PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  for (;;)
    {
      AT (spin_head);
      switch (turns[n]++ % 3)
        {
        case 0:
          AT (spin_none);
          break;
        case 1:
          AT (spin_one);
          break;
        default:
          AT (spin_more);
        }
      if (turns[n] == 0)
        {
          AT (spin_never);
          break;
        }
    }
  AT (spin_behind);
  note (n);
}

/* A loop without anything in it: nothing is counted while it runs. */
APART void
hang_here (int n)
{
  FROM (deeper);
  note (n);
  say_ready ();
  AT (hang);
  while (!zero)
    ;
  AT (hang_never);
  note (n);
}

APART void
work_here (int n)
{
  FROM (deeper);
  for (int i = 0; i < 1000 * (n + 1); i++)
    {
      AT (work);
      if (i % 3)
        note (i % 1000);
      else
        AT (work_third);
    }
  AT (work_end);
}

typedef void action (int);

APART void
deeper (action *what, int n)
{
  FROM (deep);
  note (n);
  what (n);
  AT (deeper_behind);
  note (n);
}

static ALONE void
deep (action *what, int n)
{
  AT (deep);
  pthread_cleanup_push (clean, 0);
  deeper (what, n);
  AT (deep_behind);
  pthread_cleanup_pop (0);
  note (n);
}

static action *chosen;

APART void *
thread (void *number)
{
  FROM (outside);
  tids[(long)number] = (int)syscall (SYS_gettid);
  deep (chosen, (int)(long)number);
  AT (thread_behind);
  return 0;
}

APART void
started (pthread_t *ids)
{
  for (long i = 0; i < THREADS; i++)
    {
      AT (start);
      pthread_create (&ids[i], 0, thread, (void *)i);
    }
  AT (started);
}

APART void
joined (pthread_t *ids)
{
  for (int i = 0; i < THREADS; i++)
    {
      AT (join);
      pthread_join (ids[i], 0);
    }
  AT (joined);
}

APART void
cancelled (pthread_t *ids)
{
  for (int i = 0; i < THREADS; i++)
    {
      AT (cancel);
      pthread_cancel (ids[i]);
    }
  AT (cancelled);
}

APART void
await_turns (void)
{
  AT (await_turns);
  for (int i = 0; i < THREADS; i++)
    while (turns[i] < 1000)
      usleep (1000);
}

int
main (int count, char **words)
{
  pthread_t ids[THREADS];
  const char *way = words[1], *end = words[2];
  AT (main);
  chosen = !strcmp (way, "wait")    ? wait_here
           : !strcmp (way, "leave") ? leave_here
           : !strcmp (way, "poll")  ? poll_here
           : !strcmp (way, "spin")  ? spin_here
           : !strcmp (way, "hang")  ? hang_here
                                    : work_here;
  for (int round = 0; round < (chosen == work_here ? 5 : 1); round++)
    {
      AT (round);
      started (ids);
      if (chosen == spin_here)
        await_turns ();
      if (chosen == wait_here || chosen == poll_here || chosen == hang_here)
        await_ready (ids);
      if (!strcmp (end, "cancel"))
        cancelled (ids);
      if (!strcmp (end, "cancel") || !strcmp (end, "join"))
        joined (ids);
    }
  AT (main_end);
  if (!strcmp (end, "term"))
    raise (SIGTERM);
  if (!strcmp (end, "kill"))
    kill (getpid (), SIGKILL);
  note (2);
  return 0;
}
