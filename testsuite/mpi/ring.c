/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each rank calls work () (rank + 1) * 1000 times, passes a number around a ring, and takes part in
   collective operations, of MPI_COMM_WORLD and of halves of it.  LATE=R: rank R comes 100 ms late
   to each barrier.  "fails": ends with status 5. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 10, WORK = 1000 };

static volatile long done;

__attribute__ ((noinline)) void
work (int i)
{
  if (i % 3 == 0)
    done += i;
  else
    done -= 1;
}

__attribute__ ((noinline)) void
pass_around (int rank, int size)
{
  int token = rank, received;
  MPI_Sendrecv (&token, 1, MPI_INT, (rank + 1) % size, 7, &received, 1, MPI_INT,
                (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (received != (rank + size - 1) % size)
    MPI_Abort (MPI_COMM_WORLD, 3);
}

int
main (int argc, char **argv)
{
  int rank, size, late = getenv ("LATE") ? atoi (getenv ("LATE")) : -1;
  double sum, mine = 1;
  MPI_Comm half;
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  MPI_Comm_split (MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < (rank + 1) * WORK; i++)
    work (i);
  for (int i = 0; i < ROUNDS; i++)
    {
      pass_around (rank, size);
      if (rank == late)
        nanosleep (&(struct timespec) { .tv_nsec = 100000000 }, NULL);
      MPI_Barrier (MPI_COMM_WORLD);
      MPI_Allreduce (&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, half);
    }
  if (rank % 2)
    MPI_Comm_free (&half);
  MPI_Finalize ();
  return argc > 1 ? 5 : 0;
}
