/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each thread says when it was in each call of MPI, by its own clock: tid, function, nanoseconds of
   CLOCK_MONOTONIC before and after.  Rank 1 comes 20 ms late to each barrier. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 15, THREADS = 2 };

static int rank, size;
static MPI_Comm comms[THREADS];
static FILE *told;

static long
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

#define TIMED(name, call)                                                 \
  do                                                                      \
    {                                                                     \
      const long before = now ();                                         \
      call;                                                               \
      const long after = now ();                                          \
      fprintf (told, "%d MPI_%s %ld %ld\n", gettid (), name, before, after); \
    }                                                                     \
  while (0)

static void *
run (void *argument)
{
  int i = (int) (long) argument, received;
  double mine = 1, sum;
  for (int k = 0; k < ROUNDS; k++)
    {
      TIMED ("Sendrecv", MPI_Sendrecv (&k, 1, MPI_INT, (rank + 1) % size, i, &received, 1, MPI_INT,
                                       (rank + size - 1) % size, i, comms[i], MPI_STATUS_IGNORE));
      if (rank == 1)
        nanosleep (&(struct timespec) { .tv_nsec = 20000000 }, NULL);
      TIMED ("Barrier", MPI_Barrier (comms[i]));
      TIMED ("Allreduce", MPI_Allreduce (&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comms[i]));
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int given;
  char name[32];
  pthread_t threads[THREADS];
  MPI_Init_thread (&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  if (given < MPI_THREAD_MULTIPLE)
    MPI_Abort (MPI_COMM_WORLD, 77);
  snprintf (name, sizeof name, "told.%d", rank);
  told = fopen (name, "w");
  for (int i = 0; i < THREADS; i++)
    TIMED ("Comm_dup", MPI_Comm_dup (MPI_COMM_WORLD, &comms[i]));
  for (long i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, run, (void *) i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  fclose (told);
  MPI_Finalize ();
  return 0;
}
