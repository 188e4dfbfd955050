/* SPDX-License-Identifier: MIT */
/* The sum of all ranks' profiles, in MPI_Finalize: a binomial tree on a duplicate of
   MPI_COMM_WORLD.  In step K a rank whose bit K is set sends what it has to the rank without that
   bit, and is done.  So each rank sends once, rank 0 receives log2 N times, and a rank holds at
   most what the ranks above it in the tree sent.  Only when rank 0 has written the sum do the ranks
   remove their own files.  Context: MPI_Finalize, in one thread. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/mpi/rank_parts.h"
#include "runtime/mpi/timed.h"

enum { TAG = 1, PIECE = 1 << 20 };

/* Goes ahead of the bytes of a profile; WHY: none follow. */
struct head {
  uint64_t bytes[2];
  char why[PARTS_WHY];
};

/* Waits without a processor, which the other ranks' merges may need: MPI itself would spin. */
static void
await (MPI_Request *request)
{
  enum { FIRST = 20000, MOST = 1000000 }; /* nanoseconds */
  int done = 0;
  for (long pause = FIRST; PMPI_Test (request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done;
       pause = pause < MOST / 2 ? 2 * pause : MOST)
    nanosleep (&(struct timespec) { .tv_nsec = pause }, NULL);
}

static void
send_bytes (MPI_Comm comm, int to, const void *bytes, uint64_t size)
{
  for (uint64_t done = 0; done < size; done += PIECE)
    {
      MPI_Request request;
      const uint64_t n = size - done < PIECE ? size - done : PIECE;
      PMPI_Isend ((const char *) bytes + done, (int) n, MPI_BYTE, to, TAG, comm, &request);
      await (&request);
    }
}

/* BYTES null: there is no room; what comes is received all the same, because the sender waits. */
static void
receive_bytes (MPI_Comm comm, int from, void *bytes, uint64_t size)
{
  static char nowhere[PIECE];
  for (uint64_t done = 0; done < size; done += PIECE)
    {
      MPI_Request request;
      const uint64_t n = size - done < PIECE ? size - done : PIECE;
      PMPI_Irecv (bytes ? (char *) bytes + done : nowhere, (int) n, MPI_BYTE, from, TAG, comm,
                  &request);
      await (&request);
    }
}

static void
send_sum (struct parts *parts, MPI_Comm comm, int to)
{
  struct part sum;
  struct head head;
  memset (&head, 0, sizeof head);
  parts_sum (parts, &sum);
  memcpy (head.bytes, sum.bytes, sizeof head.bytes);
  memcpy (head.why, parts->why, sizeof head.why);
  send_bytes (comm, to, &head, sizeof head);
  for (int i = 0; i < 2; i++)
    send_bytes (comm, to, sum.content[i], sum.bytes[i]);
  part_free (&sum);
}

static void
receive_sum (struct parts *parts, MPI_Comm comm, int from)
{
  struct head head;
  struct part part;
  memset (&part, 0, sizeof part);
  receive_bytes (comm, from, &head, sizeof head);
  if (head.why[0])
    parts_fail (parts, head.why);
  for (int i = 0; i < 2; i++)
    {
      part.bytes[i] = head.bytes[i];
      part.content[i] = malloc (head.bytes[i] + 1);
      if (!part.content[i])
        parts_fail (parts, "a rank has no memory for the profiles of others");
      receive_bytes (comm, from, part.content[i], head.bytes[i]);
    }
  parts_add (parts, from, &part);
  part_free (&part);
}

/* True: rank 0 has the sum. */
static bool
climb (struct parts *parts, MPI_Comm comm)
{
  const int rank = timed_rank (comm), size = timed_size (comm);
  for (int step = 1; step < size; step <<= 1)
    if (rank & step)
      {
        send_sum (parts, comm, rank - step);
        return false;
      }
    else if (rank + step < size)
      receive_sum (parts, comm, rank + step);
  return true;
}

/* Writes the sum in rank 0; all ranks know afterwards whether it is there. */
static bool
reduce (struct parts *parts, MPI_Comm comm)
{
  MPI_Request told;
  int failed;
  if (climb (parts, comm))
    parts_write (parts);
  parts_end (parts);
  failed = parts->why[0] != '\0';
  PMPI_Ibcast (&failed, 1, MPI_INT, 0, comm, &told);
  await (&told);
  return !failed;
}

/* A communicator of all ranks, in which nothing but this tree sends.  False: there is none. */
static bool
open_comm (MPI_Comm *comm)
{
  MPI_Request made;
  if (PMPI_Comm_idup (MPI_COMM_WORLD, comm, &made) != MPI_SUCCESS)
    return false;
  await (&made);
  PMPI_Comm_set_errhandler (*comm, MPI_ERRORS_RETURN);
  return true;
}

void
tree_reduce (void)
{
  static struct bbm_files files;
  static struct parts parts;
  MPI_Comm comm;
  parts_begin (&parts, &files, timed_rank (MPI_COMM_WORLD));
  if (library->end (&files) != 0)
    parts_fail (&parts, "a rank could not write its own");
  if (!open_comm (&comm))
    return;
  if (reduce (&parts, comm))
    {
      if (!files.keeps_parts)
        parts_remove_own (&files);
    }
  else if (parts.rank == 0)
    library->complain ("no sum of the ranks, whose own profiles are kept", parts.why);
  PMPI_Comm_free (&comm);
}

/* For bbprof itself. */

static int
start_job (int *rank, int *size)
{
  if (PMPI_Init (NULL, NULL) != MPI_SUCCESS)
    return 0;
  *rank = timed_rank (MPI_COMM_WORLD);
  *size = timed_size (MPI_COMM_WORLD);
  return 1;
}

static int
reduce_job (const struct bbm_files *files, char *why)
{
  static struct parts parts;
  MPI_Comm comm;
  parts_begin (&parts, files, timed_rank (MPI_COMM_WORLD));
  if (why[0])
    parts_fail (&parts, why);
  if (!open_comm (&comm))
    return 0;
  const bool done = reduce (&parts, comm);
  memcpy (why, parts.why, sizeof parts.why);
  PMPI_Comm_free (&comm);
  return done;
}

static void
end_job (void)
{
  PMPI_Finalize ();
}

extern const struct bbm_job bbm_job __attribute__ ((visibility ("default")));
const struct bbm_job bbm_job = { .start = start_job, .reduce = reduce_job, .end = end_job };
