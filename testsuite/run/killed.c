/* SPDX-License-Identifier: GPL-3.0-or-later */
/* killed TRUTH THREADS: until it is killed, each thread goes through functions of all shapes, as
   chance has it.  The file TRUTH, which outlives it, says of each thread what it has done, by lines
   of this source (struct truth), and whether it was between two of these at the end.
   judge_killed.py reads these words:

     AT                    so often control came here; the section "places" says where that is in
                           the machine code
     CALL (line, callee)   so often this call has arrived, for which the callee says ENTERED
     OUTSIDE (callee)      likewise a call by code that is not instrumented */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa))
#define LINES 400

struct truth {
  volatile long passed[LINES], arrived[LINES];
  volatile long site; /* the line of the call that is being made */
  volatile long rest; /* it is in the middle of a piece of code, and all its counts are right */
};
static __thread struct truth *mine;

#define PLACE \
  __asm__ volatile ("1: .pushsection places, \"\"; .quad 1b, %c0; .popsection" : : "i"(__LINE__))
#define AT            \
  do                  \
    {                 \
      PLACE;          \
      mine->passed[__LINE__]++; \
    }                 \
  while (0)
#define CALL(call) (mine->site = __LINE__, (call))
#define OUTSIDE(callee, call) (mine->site = __LINE__, (call))
#define ENTERED ((void) mine->arrived[mine->site]++)

/* Work without blocks, in which a thread is killed as a rule. */
#define REST                                                       \
  do                                                               \
    {                                                              \
      mine->rest = 1;                                              \
      __asm__ volatile (".rept 600; nop; .endr" : : : "memory");   \
      mine->rest = 0;                                              \
    }                                                              \
  while (0)

NOIPA static void
leaf (long n)
{
  ENTERED;
  REST;
}

/* The first block has no counter of its own. */
NOIPA static long
fork_in_the_road (long n)
{
  ENTERED;
  AT;
  REST;
  if (n & 1)
    {
      AT;
      REST;
      n += 3;
    }
  else
    {
      AT;
      n += 5;
      REST;
    }
  AT;
  REST;
  return n;
}

NOIPA static long
loops (long n)
{
  ENTERED;
  for (long i = 0; i < n % 5; i++)
    {
      AT;
      REST;
      if (n & (8 << i))
        {
          AT;
          REST;
          n++;
        }
    }
  AT;
  REST;
  return n;
}

NOIPA static long
many_ways (long n)
{
  ENTERED;
  switch (n % 6)
    {
    case 0:
      AT;
      REST;
      return 1;
    case 1:
      AT;
      REST;
      n *= 3;
      break;
    case 2:
      AT;
      CALL (leaf (n));
      n++;
      break;
    case 3:
      AT;
      REST;
      n -= 2; /* fall through */
    case 4:
      AT;
      REST;
      break;
    default:
      return n;
    }
  AT;
  REST;
  CALL (leaf (n));
  return n;
}

NOIPA static long
recursive (long n)
{
  ENTERED;
  AT;
  REST;
  if (n % 4 == 0)
    return 1;
  AT;
  REST;
  long sum = CALL (recursive (n / 4));
  AT;
  REST;
  if (n & 64)
    sum += CALL (fork_in_the_road (n));
  return sum;
}

NOIPA static long
tail (long n)
{
  ENTERED;
  if (n & 2)
    {
      AT;
      REST;
    }
  return CALL (loops (n + 1));
}

/* Called by qsort. */
static int
compare (const void *a, const void *b)
{
  ENTERED;
  const int *x = a, *y = b;
  AT;
  REST;
  if (*x < *y)
    {
      AT;
      REST;
      return -1;
    }
  AT;
  REST;
  return *x > *y;
}

NOIPA static void
sort (long n)
{
  ENTERED;
  int list[4] = { (int) (n & 15), (int) (n >> 4 & 15), (int) (n >> 8 & 15), (int) (n >> 12 & 15) };
  REST;
  OUTSIDE (compare, qsort (list, 4, sizeof *list, compare));
  AT;
  REST;
}

/* It sleeps in the kernel. */
NOIPA static void
sleeps (long n)
{
  ENTERED;
  AT;
  mine->rest = 1;
  nanosleep (&(struct timespec) { .tv_nsec = 1000 + n % 1000 }, NULL);
  mine->rest = 0;
  if (n & 1)
    {
      AT;
      REST;
    }
}

NOIPA static void
callers (long n)
{
  ENTERED;
  long (*volatile pointer) (long) = n & 32 ? fork_in_the_road : loops;
  if (n & 1)
    {
      AT;
      REST;
      CALL (leaf (n));
    }
  else if (n & 2)
    {
      AT;
      CALL (tail (n));
      REST;
    }
  else
    {
      AT;
      REST;
      for (long i = 0; i < 2; i++)
        {
          AT;
          REST;
        }
      if (n & 32)
        CALL (/* fork_in_the_road */ pointer (n));
      else
        CALL (/* loops */ pointer (n));
    }
  AT;
  REST;
  if (n & 4)
    CALL (leaf (n));
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
      AT;
      REST;
      switch (n >> 61)
        {
        case 0:
          CALL (callers (value));
          break;
        case 1:
          CALL (sort (value));
          break;
        case 2:
          AT;
          REST;
          CALL (recursive (value));
          break;
        case 3:
          CALL (many_ways (value));
          break;
        case 4:
          CALL (loops (value));
          break;
        case 5:
          if (value % 8 == 0)
            CALL (sleeps (value));
          break;
        default:
          AT;
          REST;
          CALL (fork_in_the_road (value));
          AT;
          REST;
        }
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
