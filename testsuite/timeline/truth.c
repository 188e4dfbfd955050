/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that do what is known of them, and say what the kernel has counted for them: `truth
   SCENE'.  A line for each:
     thread TID NAME cpu NS wait NS wall NS on CPU
   before they end, each by its own clocks and files of /proc.  */
#define BBPROF_OPTIONAL
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bbprof.h"

enum { US = 1000, MS = 1000 * US, MOST = 64 };

struct thread {
  pthread_t id;
  const char *name;
  void (*work) (struct thread *);
  int number, cpu; /* CPU: it is born there, and stays; -1: anywhere */
  int tid;
  long long run, wait, wall;
};

static struct thread threads[MOST];
static int nthreads;
static cpu_set_t allowed;

static long long
now (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void
spin (clockid_t clock, long long ns)
{
  long long end = now (clock) + ns;
  while (now (clock) < end)
    ;
}

static void
pause_for (long ns)
{
  nanosleep (&(struct timespec) { .tv_nsec = ns }, NULL);
}

static long long
read_wait (void)
{
  long long run, wait = -1;
  char name[64];
  snprintf (name, sizeof name, "/proc/self/task/%ld/schedstat", syscall (SYS_gettid));
  FILE *f = fopen (name, "r");
  if (!f || fscanf (f, "%lld %lld", &run, &wait) != 2)
    wait = -1;
  if (f)
    fclose (f);
  return wait;
}

static void *
run (void *argument)
{
  struct thread *t = argument;
  long long begun = now (CLOCK_MONOTONIC);
  t->tid = (int) syscall (SYS_gettid);
  pthread_setname_np (pthread_self (), t->name);
  t->work (t);
  t->wait = read_wait ();
  t->wall = now (CLOCK_MONOTONIC) - begun;
  t->run = now (CLOCK_THREAD_CPUTIME_ID);
  return NULL;
}

/* A thread inherits its creator's processors: one that is bound after its creation may have run
   elsewhere. */
static void
begin (const char *name, void (*work) (struct thread *), int cpu)
{
  struct thread *t = &threads[nthreads];
  cpu_set_t before, set;
  sched_getaffinity (0, sizeof before, &before);
  CPU_ZERO (&set);
  if (cpu >= 0)
    CPU_SET (cpu, &set);
  *t = (struct thread) { .name = name, .work = work, .number = nthreads, .cpu = cpu };
  if (cpu >= 0)
    sched_setaffinity (0, sizeof set, &set);
  if (pthread_create (&t->id, NULL, run, t) != 0)
    abort ();
  sched_setaffinity (0, sizeof before, &before);
  nthreads++;
}

static void
join_all (void)
{
  for (int i = 0; i < nthreads; i++)
    pthread_join (threads[i].id, NULL);
}

/* The Nth processor that the process may have; -1: there is none. */
static int
processor (int n)
{
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &allowed) && n-- == 0)
      return cpu;
  return -1;
}

/* Two that hand each other the word, through a futex and nothing else.  */

static _Atomic unsigned turn;

static void
take_turns (const struct thread *t, unsigned n, long long ns)
{
  for (unsigned i = 0; i < n; i++)
    {
      unsigned is;
      while ((is = atomic_load (&turn)) % 2 != (unsigned) t->number)
        syscall (SYS_futex, &turn, FUTEX_WAIT_PRIVATE, is, NULL);
      spin (CLOCK_THREAD_CPUTIME_ID, ns);
      atomic_fetch_add (&turn, 1);
      syscall (SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1);
    }
}

static void
hand_off (struct thread *t)
{
  take_turns (t, 50, 5 * MS);
}

/* Much of what they run is the switches themselves. */
static void
hand_off_often (struct thread *t)
{
  take_turns (t, 3000, US);
}

/* Others.  */

static void
spin_long (struct thread *t)
{
  (void) t;
  spin (CLOCK_MONOTONIC, 700 * MS);
}

/* Half a millisecond in each ten, what it takes to fall asleep and to wake up included. */
static void
run_shortly (struct thread *t)
{
  long long next = now (CLOCK_MONOTONIC), run = now (CLOCK_THREAD_CPUTIME_ID);
  (void) t;
  for (int i = 0; i < 100; i++)
    {
      next += 10 * MS;
      run += MS / 2;
      while (now (CLOCK_THREAD_CPUTIME_ID) < run)
        ;
      clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME,
                       &(struct timespec) { next / 1000000000, next % 1000000000 }, NULL);
    }
}

/* From 50 us to 20 ms, with sleeps or without. */
static void
run_somewhat (struct thread *t)
{
  for (int i = 0; i < 1 + t->number % 5; i++)
    {
      spin (CLOCK_THREAD_CPUTIME_ID, (50 << t->number % 8) * (long long) US);
      if (t->number % 2)
        pause_for (MS);
    }
}

static void
stay (struct thread *t)
{
  (void) t;
  for (int i = 0; i < 50; i++)
    {
      spin (CLOCK_MONOTONIC, 2 * MS);
      pause_for (MS);
    }
}

static void
move (struct thread *t)
{
  (void) t;
  for (int i = 0; i < 41; i++)
    {
      cpu_set_t set;
      CPU_ZERO (&set);
      CPU_SET (processor (i % 2), &set);
      sched_setaffinity (0, sizeof set, &set);
      spin (CLOCK_MONOTONIC, 3 * MS);
    }
}

/* Switches by /proc: true if nothing has been switched since the last time. */
static int
same_switches (long n[2])
{
  long is[2] = { 0, 0 };
  char name[64], line[256];
  snprintf (name, sizeof name, "/proc/self/task/%ld/status", syscall (SYS_gettid));
  FILE *f = fopen (name, "r");
  while (f && fgets (line, sizeof line, f))
    if (sscanf (line, "voluntary_ctxt_switches: %ld", &is[0]) != 1)
      sscanf (line, "nonvoluntary_ctxt_switches: %ld", &is[1]);
  if (f)
    fclose (f);
  int same = memcmp (is, n, sizeof is) == 0;
  memcpy (n, is, sizeof is);
  return same;
}

/* Sleeps and yields, then marks a moment with the counts of it. */
static void
switch_often (struct thread *t)
{
  long n[2] = { 0, 0 };
  char text[48];
  for (int i = 0; i < 200 + 50 * t->number; i++)
    {
      spin (CLOCK_MONOTONIC, 100 * US);
      if (i % 3 == t->number % 3)
        pause_for (200 * US);
      else
        sched_yield ();
    }
  same_switches (n);
  do
    {
      snprintf (text, sizeof text, "counts %ld %ld", n[0], n[1]);
      if (bbprof_mark)
        bbprof_mark (text);
    }
  while (!same_switches (n));
  if (bbprof_mark)
    bbprof_mark ("sure");
}

/* Says when it goes to sleep, and when it is awake again. */
static void
tell_moments (struct thread *t)
{
  (void) t;
  for (int i = 0; i < 100 && bbprof_mark; i++)
    {
      bbprof_mark ("sleeps");
      pause_for (MS);
      bbprof_mark ("awake");
    }
}

int
main (int argc, char **argv)
{
  const char *scene = argc > 1 ? argv[1] : "";
  sched_getaffinity (0, sizeof allowed, &allowed);
  if (strcmp (scene, "handoff") == 0)
    for (int i = 0; i < 2; i++)
      begin (i ? "pong" : "ping", hand_off, -1);
  else if (strcmp (scene, "switches") == 0)
    for (int i = 0; i < 2; i++)
      begin (i ? "pong" : "ping", hand_off_often, -1);
  else if (strcmp (scene, "spinners") == 0)
    {
      cpu_set_t two;
      CPU_ZERO (&two);
      CPU_SET (processor (0), &two);
      CPU_SET (processor (1), &two);
      sched_setaffinity (0, sizeof two, &two);
      for (int i = 0; i < 3; i++)
        begin ("spinner", spin_long, -1);
    }
  else if (strcmp (scene, "short") == 0)
    begin ("short", run_shortly, -1);
  else if (strcmp (scene, "clocks") == 0)
    for (int i = 0; i < 40; i++)
      begin ("some", run_somewhat, -1);
  else if (strcmp (scene, "counts") == 0)
    for (int i = 0; i < 4; i++)
      begin ("switcher", switch_often, -1);
  else if (strcmp (scene, "moments") == 0)
    begin ("teller", tell_moments, -1);
  else if (strcmp (scene, "pinned") == 0)
    {
      begin ("pinned", stay, processor (0));
      if (processor (1) >= 0)
        begin ("mover", move, -1);
    }
  else
    return 2;
  join_all ();
  for (int i = 0; i < nthreads; i++)
    printf ("thread %d %s cpu %lld wait %lld wall %lld on %d\n", threads[i].tid, threads[i].name,
            threads[i].run, threads[i].wait, threads[i].wall, threads[i].cpu);
  return 0;
}
