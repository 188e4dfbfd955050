/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For whole.test: calls that are at work in the kernel when a tick comes, and must not return less
   than the caller requested.

     whole zeros N     reads of a megabyte of zeros
     whole random N    64 KB of random bytes
     whole pipe N      writes of a megabyte, into a pipe that is emptied slowly
     whole socket N    a megabyte, received at once from a socket that is filled slowly

   Prints how many of the N came short.  */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 1 << 20, RANDOM_BYTES = 1 << 16 };
static char buffer[BYTES];
static int ends[2];

static void *
empty (void *unused)
{
  static char emptied[60000];
  const struct timespec time = { 0, 1000000 };
  while (read (ends[0], emptied, sizeof emptied) > 0)
    nanosleep (&time, NULL);
  return unused;
}

static int
read_zeros (int n)
{
  int failures = 0, zeros = open ("/dev/zero", O_RDONLY);
  for (int i = 0; i < n; i++)
    failures += read (zeros, buffer, BYTES) != BYTES;
  return failures;
}

/* The system call: libc's own may have the bytes from elsewhere. */
static int
read_random (int n)
{
  int failures = 0;
  for (int i = 0; i < n; i++)
    failures += syscall (SYS_getrandom, buffer, (size_t) RANDOM_BYTES, 0) != RANDOM_BYTES;
  return failures;
}

static int
write_to_pipe (int n)
{
  pthread_t thread;
  int failures = 0;
  if (pipe (ends) != 0 || pthread_create (&thread, NULL, empty, NULL) != 0)
    return n;
  for (int i = 0; i < n; i++)
    failures += write (ends[1], buffer, BYTES) != BYTES;
  close (ends[1]);
  pthread_join (thread, NULL);
  return failures;
}

static void *
fill (void *n)
{
  static char filled[60000];
  const struct timespec time = { 0, 1000000 };
  long left = (long) *(int *) n * BYTES;
  while (left > 0)
    {
      ssize_t sent = send (ends[1], filled,
                           left < (long) sizeof filled ? (size_t) left : sizeof filled,
                           MSG_NOSIGNAL);
      if (sent < 0)
        break;
      left -= sent;
      nanosleep (&time, NULL);
    }
  close (ends[1]);
  return n;
}

static int
receive (int n)
{
  pthread_t thread;
  int failures = 0;
  if (socketpair (AF_UNIX, SOCK_STREAM, 0, ends) != 0
      || pthread_create (&thread, NULL, fill, &n) != 0)
    return n;
  for (int i = 0; i < n; i++)
    failures += recv (ends[0], buffer, BYTES, MSG_WAITALL) != BYTES;
  close (ends[0]);
  pthread_join (thread, NULL);
  return failures;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 2 ? argv[1] : "";
  int n = argc > 2 ? atoi (argv[2]) : 0;
  printf ("%d\n", !strcmp (what, "zeros")    ? read_zeros (n)
                  : !strcmp (what, "random") ? read_random (n)
                  : !strcmp (what, "pipe")   ? write_to_pipe (n)
                  : !strcmp (what, "socket") ? receive (n)
                                             : -1);
  return 0;
}
