/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hooks in awkward places: a thread's first one in a signal handler on the smallest stack for
   signals, and one under libc's own lock of all streams while another thread forks, which wants
   that lock. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa))

static volatile int stage;

NOIPA static void
wait_for (int wanted)
{
  while (stage < wanted)
    usleep (1000);
}

static void
on_signal (int number)
{
  stage = number;
}

/* Not profiled, so the handler's hook is the thread's first. */
__attribute__ ((no_instrument_function)) static void *
small_stack (void *unused)
{
  size_t size = (size_t) sysconf (_SC_MINSIGSTKSZ);
  stack_t stack = { .ss_sp = malloc (size), .ss_size = size };
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
  sigaltstack (&stack, NULL);
  sigaction (SIGUSR1, &action, NULL);
  pthread_kill (pthread_self (), SIGUSR1);
  return unused;
}

/* Called by fflush (NULL), which holds the lock of the list of streams. */
NOIPA static ssize_t
slow_write (void *cookie, const char *bytes, size_t n)
{
  (void) cookie, (void) bytes;
  return (ssize_t) n;
}

__attribute__ ((no_instrument_function)) static ssize_t
write_in_the_way (void *cookie, const char *bytes, size_t n)
{
  stage = 100;
  usleep (200000); /* time for fork to begin */
  return slow_write (cookie, bytes, n);
}

__attribute__ ((no_instrument_function)) static void *
flush_all (void *stream)
{
  fputs ("text", stream);
  fflush (NULL);
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, small_stack, NULL);
  pthread_join (thread, NULL);
  if (stage != SIGUSR1)
    return 1;

  alarm (20);
  FILE *stream = fopencookie (NULL, "w", (cookie_io_functions_t) { .write = write_in_the_way });
  pthread_create (&thread, NULL, flush_all, stream);
  wait_for (100);
  pid_t child = fork ();
  if (child == 0)
    _exit (0);
  int status;
  if (wait (&status) != child || status != 0)
    return 2;
  pthread_join (thread, NULL);
  puts ("done");
  return 0;
}
