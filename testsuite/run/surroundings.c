/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes its surroundings hostile in the way that argv[1] names, calls f 10 times before and 5 times
   after, prints and ends with 42. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
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
limit (int resource, rlim_t value)
{
  struct rlimit limit = { value, value };
  if (setrlimit (resource, &limit) != 0)
    exit (1);
}

static void
folder_vanishes (void)
{
  char folder[4096];
  if (!getcwd (folder, sizeof folder) || chdir ("/") || rmdir (folder))
    exit (1);
}

static void
new_root (void)
{
  if (mkdir ("jail", 0755) || chroot ("jail") || chdir ("/"))
    exit (1);
}

static void
no_memory (void)
{
  limit (RLIMIT_AS, 0);
}

static void
no_descriptors (void)
{
  limit (RLIMIT_NOFILE, 0);
}

static void
all_descriptors (void)
{
  limit (RLIMIT_NOFILE, 50);
  while (dup (1) >= 0)
    ;
}

/* A program that gives up new privileges counts in a live file from then on, if bbprof-writer can
   be started. */
static void
killed (void)
{
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  kill (getpid (), SIGKILL);
}

/* Standard error is a pipe without a reader, from the start on. */
static void
unread (void)
{
  int ends[2];
  if (pipe (ends) || dup2 (ends[1], 2) < 0 || close (ends[0]) || close (ends[1]))
    exit (1);
  execl ("/proc/self/exe", "program", "nothing", NULL);
  exit (1);
}

static void
no_longer_files (void)
{
  limit (RLIMIT_FSIZE, 0);
}

static volatile int stop;

/* Counts what it writes to where nothing is open. */
static void *
writes (void *written)
{
  while (!stop)
    for (int fd = 0; fd < 3; fd++)
      if (write (fd, "output", 6) >= 0 || errno != EBADF)
        ++*(int *) written;
  return NULL;
}

/* With descriptors 0 to 2 closed: they stay closed, even if another thread opens files
   meanwhile. */
static void
closed (void)
{
  int written = 0;
  pthread_t thread;
  pthread_create (&thread, NULL, writes, &written);
  for (int i = 0; i < 200; i++)
    {
      f ();
      write_profiling ();
    }
  stop = 1;
  pthread_join (thread, NULL);
  _exit (written ? 1 : 42);
}

/* As the first process of a container: signals from within it do not reach it. */
static void
first (void)
{
  if (getpid () == 1)
    {
      kill (1, SIGTERM);
      raise (SIGINT);
      ualarm (10000, 0);
      if (usleep (100000) != 0)
        exit (1);
    }
}

static void nothing (void) {}

static const struct {
  const char *name;
  void (*run) (void);
} ways[] = {
  { "vanished", folder_vanishes },
  { "chroot", new_root },
  { "memory", no_memory },
  { "nofile", no_descriptors },
  { "all", all_descriptors },
  { "closed", closed },
  { "first", first },
  { "nothing", nothing },
  { "unread", unread },
  { "fsize", no_longer_files },
  { "killed", killed },
};

int
main (int argc, char **argv)
{
  static char buffer[BUFSIZ];
  setvbuf (stdout, buffer, _IOFBF, sizeof buffer);
  call_f (10);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (argc == 2 && !strcmp (argv[1], ways[i].name))
      ways[i].run ();
  call_f (5);
  puts ("output");
  return 42;
}
