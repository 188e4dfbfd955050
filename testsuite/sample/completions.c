/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for completions of io_uring in each way; prints what is not as it is without a profiler, or
   "right".  With the argument "apart" no call submits and waits at once.  Status 77: the kernel has
   no io_uring for us. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAIT 100000000L /* nanoseconds */

static int ring, bad;
static char *submissions, *completions;
static struct io_uring_sqe *entries;
static struct io_uring_params params;

static void
check (const char *what, long is, long should)
{
  if (is == should)
    return;
  printf ("%s: %ld instead of %ld (errno %d)\n", what, is, should, errno);
  bad = 1;
}

static void *
map (size_t bytes, uint64_t what)
{
  return mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring, (off_t) what);
}

static long
enter (unsigned submit, unsigned wait, unsigned flags, const void *argument, size_t bytes)
{
  return syscall (SYS_io_uring_enter, ring, submit, wait, flags, argument, bytes);
}

static unsigned
ready (void)
{
  return *(volatile unsigned *) (completions + params.cq_off.tail)
         - *(unsigned *) (completions + params.cq_off.head);
}

/* Prepares the operation that completes after WAIT. */
static void
prepare (void)
{
  static const struct __kernel_timespec time = { 0, WAIT };
  memset (entries, 0, sizeof *entries);
  entries->opcode = IORING_OP_TIMEOUT;
  entries->addr = (uintptr_t) &time;
  entries->len = 1;
  *(unsigned *) (submissions + params.sq_off.array) = 0;
  ++*(unsigned *) (submissions + params.sq_off.tail);
}

static void
take (const char *what)
{
  check (what, ready (), 1);
  *(unsigned *) (completions + params.cq_off.head) += ready ();
}

static long
milliseconds (const struct timespec *start)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

/* As long as nothing completes. */
static void
time_out (void)
{
  const struct __kernel_timespec time = { 0, 2 * WAIT };
  const struct io_uring_getevents_arg argument = { .ts = (uintptr_t) &time };
  struct timespec start;
  clock_gettime (CLOCK_MONOTONIC, &start);
  check ("a wait with a limit",
         enter (0, 1, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &argument, sizeof argument),
         -1);
  check ("its error", errno, ETIME);
  check ("it is early", milliseconds (&start) < 199, 0);
}

int
main (int argc, char **argv)
{
  ring = (int) syscall (SYS_io_uring_setup, 8, &params);
  if (ring < 0 || !(params.features & IORING_FEAT_EXT_ARG))
    return 77;
  submissions
      = map (params.sq_off.array + params.sq_entries * sizeof (unsigned), IORING_OFF_SQ_RING);
  completions = map (params.cq_off.cqes + params.cq_entries * sizeof (struct io_uring_cqe),
                     IORING_OFF_CQ_RING);
  entries = map (params.sq_entries * sizeof *entries, IORING_OFF_SQES);
  for (int i = 0; i < 5; i++)
    {
      prepare ();
      check ("submitting", enter (1, 0, 0, NULL, 0), 1);
      check ("waiting", enter (0, 1, IORING_ENTER_GETEVENTS, NULL, 0), 0);
      take ("completions waited for");
      time_out ();
      if (argc > 1 && strcmp (argv[1], "apart") == 0)
        continue;
      prepare ();
      check ("submitting and waiting", enter (1, 1, IORING_ENTER_GETEVENTS, NULL, 0), 1);
      take ("completions of both at once");
    }
  if (!bad)
    puts ("right");
  return bad;
}
