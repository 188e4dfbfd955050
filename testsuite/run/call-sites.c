/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call-sites WHAT: calls functions through pointers, nearly all at one call site.  Prints how often
   each of them was called while calls were counted.

     many     32 functions, in turn and one for a long time; more than a thread's first table takes
     threads  four threads at once
     handler  a handler of a timer uses the call site, too
     stop     some calls while the process is stopped, or the thread
     others   some calls of four threads while the process is stopped by main
     null     calls of address 0, which a handler of SIGSEGV catches
     fork     a child, which prints its own calls, and then its parent
     dump     writes the profile while four threads go on
     kill     ends by SIGKILL */
#include <bbprof.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLAIN __attribute__ ((no_instrument_function, noinline))

typedef void function (void);
static atomic_ulong ran[32];
static __thread int is_counted = 1;
static atomic_int all_counted = 1;

#define F(n)                                      \
  __attribute__ ((noipa)) void f##n (void)        \
  {                                               \
    if (is_counted && all_counted)                \
      atomic_fetch_add (&ran[n], 1);              \
  }
#define ALL(M)                                                                                  \
  M (0) M (1) M (2) M (3) M (4) M (5) M (6) M (7) M (8) M (9) M (10) M (11) M (12) M (13) M (14) \
  M (15) M (16) M (17) M (18) M (19) M (20) M (21) M (22) M (23) M (24) M (25) M (26) M (27)     \
  M (28) M (29) M (30) M (31)
ALL (F)
#define NAME(n) f##n,
static function *const functions[32] = { ALL (NAME) };

/* The call site. */
__attribute__ ((noipa)) void
site (function *f)
{
  f ();
  __asm__ volatile ("nop");
}

/* Other sites, so that there are more arcs than a thread's first table takes. */
#define SITE(n)                            \
  __attribute__ ((noipa)) void site##n (void) \
  {                                        \
    for (int i = 0; i < 32; i++)           \
      functions[i]();                      \
  }
ALL (SITE)
#define SITE_NAME(n) site##n,
static function *const sites[32] = { ALL (SITE_NAME) };

static void
many (void)
{
  for (int i = 0; i < 32; i++)
    for (int n = 0; n < 700 + i; n++)
      site (functions[i]);
  for (int n = 0; n < 1000; n++)
    for (int i = 0; i < 32; i++)
      site (functions[i * 7 % 32]);
  for (int n = 0; n < 1000; n++)
    site (functions[n % 3]);
}

static void *
run (void *unused)
{
  many ();
  return unused;
}

static pthread_t threads[4];

static PLAIN void
start (void *(*f) (void *))
{
  for (int i = 0; i < 4; i++)
    if (pthread_create (&threads[i], NULL, f, NULL))
      exit (1);
}

static PLAIN void
join (void)
{
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
}

static void
on_alarm (int signal)
{
  (void) signal;
  for (int i = 0; i < 5; i++)
    site (functions[(i * 3) % 32]);
}

static void
handler (void)
{
  const struct itimerval fast = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
  signal (SIGALRM, on_alarm);
  setitimer (ITIMER_REAL, &fast, NULL);
  for (int i = 0; i < 20; i++)
    many ();
  setitimer (ITIMER_REAL, &never, NULL);
}

static void
stop (void)
{
  for (int i = 0; i < 3; i++)
    {
      many ();
      all_counted = 0;
      bbprof_stop ();
      many ();
      bbprof_start ();
      all_counted = 1;
      many ();
      is_counted = 0;
      bbprof_thread (0);
      many ();
      bbprof_thread (1);
      is_counted = 1;
    }
}

static pthread_barrier_t barrier;

static void *
run_others (void *unused)
{
  for (int i = 0; i < 20; i++)
    {
      many ();
      pthread_barrier_wait (&barrier);
      pthread_barrier_wait (&barrier);
    }
  return unused;
}

/* Main stops and starts between the barriers, and in the middle of an uncounted part. */
static PLAIN void
others (void)
{
  pthread_barrier_init (&barrier, NULL, 5);
  start (run_others);
  for (int i = 0; i < 20; i++)
    {
      pthread_barrier_wait (&barrier);
      if (i % 2 == 0)
        bbprof_stop ();
      else
        bbprof_start ();
      all_counted = i % 2;
      pthread_barrier_wait (&barrier);
    }
  join ();
}

static sigjmp_buf back;

static PLAIN void
on_fault (int signal)
{
  (void) signal;
  siglongjmp (back, 1);
}

static void
null (void)
{
  signal (SIGSEGV, on_fault);
  for (volatile int i = 0; i < 100; i++)
    if (sigsetjmp (back, 1) == 0)
      site (NULL);
  many ();
}

static PLAIN void
show (void)
{
  for (int i = 0; i < 32; i++)
    printf ("f%d %lu\n", i, ran[i]);
  fflush (stdout);
}

static PLAIN void
forks (void)
{
  many ();
  pid_t child = fork ();
  if (child == 0)
    {
      memset (ran, 0, sizeof ran);
      many ();
      printf ("child %d\n", (int) getpid ());
      show ();
      exit (0);
    }
  int status;
  if (waitpid (child, &status, 0) < 0 || status)
    exit (1);
  many ();
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp (what, "many") == 0)
    for (int i = 0; i < 32; i++)
      {
        sites[i]();
        many ();
      }
  else if (strcmp (what, "threads") == 0)
    {
      start (run);
      many ();
      join ();
    }
  else if (strcmp (what, "handler") == 0)
    handler ();
  else if (strcmp (what, "stop") == 0)
    stop ();
  else if (strcmp (what, "others") == 0)
    others ();
  else if (strcmp (what, "null") == 0)
    null ();
  else if (strcmp (what, "fork") == 0)
    forks ();
  else if (strcmp (what, "dump") == 0)
    {
      start (run);
      for (int i = 0; i < 20; i++)
        bbprof_dump ();
      join ();
    }
  else
    many ();
  show ();
  if (strcmp (what, "kill") == 0)
    raise (SIGKILL);
  return 0;
}
