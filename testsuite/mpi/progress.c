/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each rank calls work () 200 times between barriers, until argv[1] rounds are done, and says in
   the file progress.RANK, which is mapped, its pid and how many calls have returned. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile long sink;

__attribute__ ((noinline)) void
work (void)
{
  for (int i = 0; i < 20000; i++)
    sink += i;
}

struct progress {
  volatile long pid, done;
};

static struct progress *
open_progress (int rank)
{
  char name[32];
  snprintf (name, sizeof name, "progress.%d", rank);
  int fd = open (name, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate (fd, sizeof (struct progress)) != 0)
    exit (99);
  void *memory = mmap (NULL, sizeof (struct progress), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED)
    exit (99);
  return memory;
}

int
main (int argc, char **argv)
{
  int rank;
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  struct progress *p = open_progress (rank);
  p->pid = getpid ();
  for (int i = 0; argc > 1 && i < atoi (argv[1]); i++)
    {
      for (int k = 0; k < 200; k++)
        {
          work ();
          p->done++;
        }
      MPI_Barrier (MPI_COMM_WORLD);
    }
  MPI_Finalize ();
  return 0;
}
