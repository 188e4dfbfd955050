/* SPDX-License-Identifier: MIT */
/* The time of a call of MPI.  Context: the program's threads, in functions of MPI. */
#include <time.h>

#include "runtime/mpi/timed.h"

/* The number of wrappers that this thread is in. */
static _Thread_local unsigned depth __attribute__ ((tls_model ("initial-exec")));

static uint64_t
now (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

void
timed_begin (struct timed *t, MPI_Comm comm)
{
  t->outermost = depth++ == 0 && library;
  if (!t->outermost)
    return;
  t->comm = comm;
  if (comm != MPI_COMM_NULL)
    t->arrived = now (CLOCK_REALTIME);
  t->began = now (CLOCK_MONOTONIC);
}

void
timed_end (const struct timed *t, enum bbm_call call, const void *site, uint64_t bytes)
{
  if (t->outermost)
    {
      unsigned place = library->call (call, site, now (CLOCK_MONOTONIC) - t->began, bytes);
      if (t->comm != MPI_COMM_NULL)
        late_note (t->comm, place, t->arrived);
    }
  depth--;
}

uint64_t
timed_bytes (int64_t count, MPI_Datatype type)
{
  int size = 0;
  if (count <= 0 || PMPI_Type_size (type, &size) != MPI_SUCCESS || size < 0)
    return 0;
  return (uint64_t) count * (uint64_t) size;
}

int
timed_rank (MPI_Comm comm)
{
  int rank = 0;
  PMPI_Comm_rank (comm, &rank);
  return rank;
}

int
timed_size (MPI_Comm comm)
{
  int size = 0, inter = 0;
  PMPI_Comm_test_inter (comm, &inter);
  if (inter)
    PMPI_Comm_remote_size (comm, &size);
  else
    PMPI_Comm_size (comm, &size);
  return size;
}

int64_t
timed_sum (const int *counts, MPI_Comm comm)
{
  int64_t sum = 0;
  for (int i = timed_size (comm) - 1; i >= 0; i--)
    sum += counts[i];
  return sum;
}
