/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads its own counts while it runs: own-counts.c WHAT; prints what it read at the end.  The
   calls are those of the loops below. */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BBPROF_OPTIONAL
#include "bbprof.h"

#define APART __attribute__ ((noipa))
enum { THREADS = 4, CALLS = 250000 };

void spin (void);
int leaf (int), loop (int), caller (int), waits (volatile int *);
static volatile int sink;

APART int
leaf (int n)
{
  return n + 1;
}

/* Its first block is the head of loops.  At -O0 its entries are the executions of that block
   less the three jumps to it. */
APART int
loop (int n)
{
again:
  sink++;
  if (n & 1)
    {
      n--;
      goto again;
    }
  if (n & 2)
    {
      n -= 2;
      goto again;
    }
  if (n > 4)
    {
      n -= 4;
      goto again;
    }
  return n;
}

APART int
caller (int n)
{
  return n & 1 ? leaf (n) + 1 : n;
}

/* Its only counter may be behind the loop.  go[1]: it is inside of that. */
APART int
waits (volatile int *go)
{
  while (!go[0])
    go[1] = 1;
  return go[0];
}

static int running, readings;

/* Waits for another reading every now and then, so that many are made in between. */
static void
work (void)
{
  enum { STEP = 10000 };
  for (int i = 0; i < CALLS; i++)
    {
      loop (i & 31);
      caller (i);
      int seen = __atomic_load_n (&readings, __ATOMIC_SEQ_CST);
      while (i % STEP == 0 && __atomic_load_n (&readings, __ATOMIC_SEQ_CST) == seen)
        sched_yield ();
    }
}

static int
find (const char *name)
{
  int number = bbprof_function_find (name);
  if (number <= 0)
    printf ("%s: error %d\n", name, -number);
  return number;
}

static struct bbprof_counts
read_one (int number)
{
  struct bbprof_counts counts;
  int error = bbprof_function_counts (&number, &counts, 1);
  if (error)
    printf ("counts: error %d\n", -error), exit (1);
  return counts;
}

static void
print (const char *when, const char *name)
{
  struct bbprof_counts c = read_one (find (name));
  printf ("%s %s calls %lu executions %lu known %u\n", when, c.name, c.calls, c.executions,
          c.known & 3);
}

/* Reads until the threads have ended. */
static void
watch (const int *numbers, int n)
{
  static struct bbprof_counts before[8], now[8];
  long between = 0;
  while (__atomic_load_n (&running, __ATOMIC_SEQ_CST))
    {
      if (bbprof_function_counts (numbers, now, n))
        printf ("no counts\n"), exit (1);
      for (int i = 0; i < n; i++)
        {
          if (now[i].calls < before[i].calls || now[i].executions < before[i].executions
              || now[i].executions > THREADS * CALLS || now[i].calls > THREADS * CALLS)
            printf ("%s: %lu calls after %lu\n", now[i].name, now[i].calls, before[i].calls),
                exit (1);
          between += now[i].calls + now[i].executions > 0 && now[i].calls < THREADS * CALLS
                     && now[i].executions < THREADS * CALLS;
          before[i] = now[i];
        }
      __atomic_fetch_add (&readings, 1, __ATOMIC_SEQ_CST);
    }
  printf ("readings %s\n", between > 20 ? "enough" : "too few");
}

static void *
work_and_end (void *unused)
{
  work ();
  __atomic_fetch_sub (&running, 1, __ATOMIC_SEQ_CST);
  return unused;
}

static void
threads (void)
{
  pthread_t thread[THREADS];
  const int numbers[] = { find ("loop"), find ("caller"), find ("leaf") };
  running = THREADS;
  for (int i = 0; i < THREADS; i++)
    pthread_create (&thread[i], NULL, work_and_end, NULL);
  watch (numbers, 3);
  for (int i = 0; i < THREADS; i++)
    pthread_join (thread[i], NULL);
  print ("end", "loop");
  print ("end", "caller");
  print ("end", "leaf");
}

static volatile int go[2][2];

static void *
wait_for_go (void *own)
{
  waits (own);
  return NULL;
}

/* A thread that is inside of waits. */
static void
begin_wait (pthread_t *thread, volatile int *own)
{
  pthread_create (thread, NULL, wait_for_go, (void *) own);
  while (!own[1])
    usleep (1000);
}

/* A thread is inside of waits when counts are reset, and once more when they are stopped. */
static void
reset (void)
{
  pthread_t thread[2];
  int number = find ("waits");
  leaf (1);
  begin_wait (&thread[0], go[0]);
  bbprof_reset ();
  print ("reset", "leaf");
  print ("reset", "waits");
  leaf (1), leaf (2);
  begin_wait (&thread[1], go[1]);
  bbprof_stop ();
  print ("stopped", "waits");
  leaf (3);
  print ("stopped", "leaf");
  bbprof_start ();
  go[0][0] = go[1][0] = 1;
  pthread_join (thread[0], NULL);
  pthread_join (thread[1], NULL);
  leaf (4);
  print ("end", "leaf");
  print ("end", "waits");
  if (find ("waits") != number)
    printf ("two numbers for one function\n");
}

static void
in_child (void)
{
  int number = find ("leaf"), status;
  for (int i = 0; i < 5; i++)
    leaf (i);
  fflush (stdout);
  if (fork () == 0)
    {
      for (int i = 0; i < 3; i++)
        leaf (i);
      printf ("child calls %lu\n", read_one (number).calls);
      fflush (stdout);
      _exit (0);
    }
  wait (&status);
  printf ("parent calls %lu\n", read_one (number).calls);
}

/* Twice loaded, perhaps at another address. */
static void
library (void)
{
  int number = 0;
  for (int round = 0; round < 2; round++)
    {
      void *handle = dlopen ("./library.so", RTLD_NOW);
      int (*in_library) (int) = (int (*) (int)) dlsym (handle, "in_library");
      number = find ("in_library");
      for (int i = 0; i < 7; i++)
        in_library (i);
      struct bbprof_counts c = read_one (number);
      printf ("loaded calls %lu executions %lu at %s\n", c.calls, c.executions,
              (char *) c.address == (char *) in_library ? "its address" : "another address");
      dlclose (handle);
      c = read_one (number);
      printf ("unloaded calls %lu executions %lu at %lx\n", c.calls, c.executions, c.address);
    }
  printf ("find %d\n", bbprof_function_find ("in_library") < 0);
}

static void
errors (void)
{
  struct bbprof_counts counts;
  const int none[] = { 0, 1000, -1 };
  printf ("unknown %d\n", -bbprof_function_find ("no_such_function"));
  for (int i = 0; i < 3; i++)
    printf ("number %d\n", -bbprof_function_counts (&none[i], &counts, 1));
  printf ("nowhere %d\n", -bbprof_function_at (&counts));
  printf ("null %d\n", -bbprof_function_at (NULL));
  printf ("twice %d\n", -bbprof_function_find ("twice"));
  leaf (1);
  counts = read_one (bbprof_function_at ((const char *) leaf + 1));
  printf ("at %s %d executions %lu\n", *counts.name ? counts.name : "-",
          counts.address == (unsigned long) leaf, counts.executions);
  int libc = bbprof_function_at (dlsym (RTLD_DEFAULT, "qsort"));
  if (libc > 0)
    printf ("libc known %u\n", read_one (libc).known & 3);
}

APART void
spin (void)
{
  struct timespec cpu = { 0 };
  for (int i = 0; cpu.tv_sec == 0; i++)
    if ((i & 0xfffff) == 0)
      clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &cpu);
}

/* The process spends a second of CPU time, almost all of it in spin. */
static void
spent (void)
{
  int number = find ("spin");
  printf ("before %lu known %u\n", read_one (number).time, read_one (number).known & BBPROF_TIME);
  spin ();
  struct bbprof_counts counts = read_one (number);
  printf ("%lu %lu\n", counts.samples, counts.time);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run) (void);
  } what[] = { { "threads", threads }, { "reset", reset },   { "fork", in_child },
               { "library", library }, { "errors", errors }, { "time", spent } };
  if (!bbprof_function_find)
    return puts ("not there"), 0;
  for (unsigned i = 0; argc > 1 && i < sizeof what / sizeof *what; i++)
    if (strcmp (argv[1], what[i].name) == 0)
      return what[i].run (), 0;
  return 2;
}
