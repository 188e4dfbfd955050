/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends in the way that argv[1] names, most with status 7.  Calls f ten times first; what else is
   said at each way.  A child whose profile is to be looked at says its number on stderr. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bbprof.h"

#define NOIPA __attribute__ ((noipa))

NOIPA void f (void);
NOIPA void
f (void)
{
  __asm__ volatile ("");
}

static void
call_f (int n)
{
  while (n--)
    f ();
}

static void
tell_number (void)
{
  fprintf (stderr, "%d\n", (int) getpid ());
}

static int
wait_for_child (void)
{
  int status;
  return wait (&status) > 0 && WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

static void
calls_three (void)
{
  call_f (3);
}

/* 13: the handler of the program's is before ours. */
static void
quick (void)
{
  at_quick_exit (calls_three);
  quick_exit (7);
}

static void
fails (void)
{
  assert (!"this");
}

/* The child: 2. */
static void
forked (void)
{
  if (fork () == 0)
    {
      tell_number ();
      call_f (2);
      _exit (7);
    }
  exit (wait_for_child ());
}

static void
vforked (void)
{
  if (vfork () == 0)
    _exit (7);
  exit (wait_for_child ());
}

/* Both parents are seen no more; the last child: 2. */
static void
forked_twice (void)
{
  int done[2];
  char byte;
  if (pipe (done) == 0 && fork () == 0)
    {
      setsid ();
      if (fork () != 0)
        _exit (0);
      close (done[0]);
      tell_number ();
      call_f (2);
      exit (0);
    }
  close (done[1]);
  wait_for_child ();
  _exit (read (done[0], &byte, 1) == 0 ? 7 : 1); /* when the last one has ended */
}

/* The daemon: 2, and somewhere else, with descriptors of its own. */
static void
becomes_daemon (void)
{
  FILE *said = fopen ("said", "w");
  if (daemon (0, 0) != 0 || !said)
    exit (1);
  call_f (2);
  char folder[100];
  fprintf (said, "%d\n", (int) getpid ());
  if (getsid (0) != getpid () || strcmp (getcwd (folder, sizeof folder), "/")
      || write (1, "x", 1) != 1)
    fputs ("no daemon\n", said);
  exit (0);
}

/* Made behind fork's back, with a copy of all counts: such a child ends without a profile. */
static int
end_as_clone (void *unused)
{
  (void) unused;
  call_f (2);
  _exit (7);
}

static void
cloned (void)
{
  char *stack = malloc (65536);
  clone (end_as_clone, stack + 65536, SIGCHLD, NULL);
  exit (wait_for_child ());
}

static void *
goes_on (void *unused)
{
  usleep (50000);
  call_f (5);
  return unused;
}

static void
main_thread_ends (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, goes_on, NULL);
  pthread_exit (NULL);
}

static pthread_barrier_t barrier;

static void *
runs_on (void *unused)
{
  pthread_detach (pthread_self ());
  call_f (5);
  pthread_barrier_wait (&barrier);
  for (;;)
    pause ();
  return unused;
}

static void *
ends_process (void *unused)
{
  (void) unused;
  exit (7);
}

/* Four detached threads that never end, 5 each, and one that ends the process. */
static void
threads_run (void)
{
  pthread_t thread;
  pthread_barrier_init (&barrier, NULL, 5);
  for (int i = 0; i < 4; i++)
    pthread_create (&thread, NULL, runs_on, NULL);
  pthread_barrier_wait (&barrier);
  pthread_create (&thread, NULL, ends_process, NULL);
  pause ();
}

static void *
dumps (void *unused)
{
  for (;;)
    {
      f ();
      write_profiling ();
    }
  return unused;
}

/* In the middle of another thread's dumps, as like as not. */
static void
while_dumping (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, dumps, NULL);
  usleep (3000 + (unsigned) getpid () % 7 * 300);
  _exit (7);
}

static void
killed_while_dumping (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, dumps, NULL);
  usleep (3000 + (unsigned) getpid () % 7 * 300);
  kill (getpid (), SIGTERM);
  pause ();
}

/* The profiler meets what the program has destroyed of its memory, and must not hang. */
extern struct { char before[32]; void *next; } *__bb_head;

static void
destroys (void)
{
  void **words = (void **) __bb_head;
  for (int i = 1; i < 12; i++)
    words[i] = (void *) 8;
  write_profiling ();
}

static void ends (void) { _exit (7); }
static void Ends (void) { _Exit (7); }
static void ends_by_number (void) { syscall (SYS_exit_group, 7); }

static void
end_in_handler (int number)
{
  (void) number;
  _exit (7);
}

/* In a handler, on a stack with hardly more room than the kernel needs, and nothing below it. */
static void
handled (void)
{
  size_t below = 65536, bytes = getauxval (AT_MINSIGSTKSZ) + 512;
  char *room
      = mmap (NULL, below + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t other = { .ss_sp = room + below, .ss_size = bytes };
  struct sigaction action = { .sa_handler = end_in_handler, .sa_flags = SA_ONSTACK };
  if (mprotect (room, below, PROT_NONE) || sigaltstack (&other, NULL)
      || sigaction (SIGUSR1, &action, NULL))
    exit (1);
  raise (SIGUSR1);
}

static const struct {
  const char *name;
  void (*run) (void);
} ways[] = {
  { "_exit", ends },
  { "_Exit", Ends },
  { "syscall", ends_by_number },
  { "quick_exit", quick },
  { "assert", fails },
  { "fork", forked },
  { "vfork", vforked },
  { "twice", forked_twice },
  { "daemon", becomes_daemon },
  { "clone", cloned },
  { "pthread_exit", main_thread_ends },
  { "threads", threads_run },
  { "dumping", while_dumping },
  { "killed", killed_while_dumping },
  { "destroys", destroys },
  { "handled", handled },
};

int
main (int argc, char **argv)
{
  struct rlimit none = { 0, 0 };
  setrlimit (RLIMIT_CORE, &none);
  call_f (10);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (argc == 2 && !strcmp (argv[1], ways[i].name))
      ways[i].run ();
  return 2;
}
