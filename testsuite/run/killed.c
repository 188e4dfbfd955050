/* SPDX-License-Identifier: GPL-3.0-or-later */
/* killed TRUTH THREADS: until it is killed, each thread calls leaf by way of one of three callers, as chance has it, and says in the file
   TRUTH, which outlives it, which calls it has begun, and which have come back: six words a thread. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa))

struct truth {
  volatile long begun[3], back[3];
  long unused[2];
};
static __thread struct truth *mine;

NOIPA static void
leaf (void)
{
  __asm__ volatile ("");
}

/* Work before the call, which a thread may be killed in. */
NOIPA static long
work (long n)
{
  for (volatile long i = 0; i < n % 7; i++)
    ;
  return n;
}

NOIPA static void
first (long n)
{
  mine->begun[0]++;
  for (volatile long i = 0; i < n % 5; i++)
    ;
  leaf ();
  mine->back[0]++;
}

NOIPA static void
second (long n)
{
  mine->begun[1]++;
  if (work (n) & 8)
    work (n + 1);
  leaf ();
  mine->back[1]++;
}

NOIPA static void
third (long n)
{
  mine->begun[2]++;
  if (n & 16)
    leaf ();
  else
    {
      work (n);
      leaf ();
    }
  mine->back[2]++;
}

static void *
run (void *truth)
{
  unsigned long n = (unsigned long) truth;
  mine = truth;
  for (;;)
    {
      n = n * 6364136223846793005UL + 1442695040888963407UL;
      const long value = (long) (n >> 40);
      if (n >> 62 == 0)
        first (value);
      else if (n >> 62 == 1)
        second (value);
      else
        third (value);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  const int threads = argc > 2 ? atoi (argv[2]) : 1;
  const size_t bytes = (size_t) threads * sizeof (struct truth);
  int fd = open (argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || ftruncate (fd, (off_t) bytes) != 0)
    return 2;
  struct truth *all = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (all == MAP_FAILED)
    return 2;
  for (int i = 1; i < threads; i++)
    {
      pthread_t thread;
      if (pthread_create (&thread, NULL, run, &all[i]) != 0)
        return 2;
    }
  run (&all[0]);
}
