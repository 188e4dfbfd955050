/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI_THREAD_MULTIPLE: two threads of each rank take part in 1100 barriers of a communicator of
   their own, and send 300 numbers to the same thread of the next rank. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2, BARRIERS = 1100, NUMBERS = 300 };

static int rank, size;
static MPI_Comm comms[THREADS];

static void *
run (void *argument)
{
  int i = (int) (long) argument, received;
  for (int k = 0; k < BARRIERS; k++)
    MPI_Barrier (comms[i]);
  for (int k = 0; k < NUMBERS; k++)
    {
      MPI_Sendrecv (&k, 1, MPI_INT, (rank + 1) % size, i, &received, 1, MPI_INT,
                    (rank + size - 1) % size, i, comms[i], MPI_STATUS_IGNORE);
      if (received != k)
        exit (3);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int given;
  pthread_t threads[THREADS];
  MPI_Init_thread (&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  if (given < MPI_THREAD_MULTIPLE)
    MPI_Abort (MPI_COMM_WORLD, 77);
  for (int i = 0; i < THREADS; i++)
    MPI_Comm_dup (MPI_COMM_WORLD, &comms[i]);
  for (long i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, run, (void *) i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    MPI_Comm_free (&comms[i]);
  MPI_Finalize ();
  return 0;
}
