/* SPDX-License-Identifier: MIT */
/* Which rank comes last to a collective call.  Each rank notes when it came, for each communicator
   in the order of the calls, which is the same in all ranks.  When a list is full, a reduction on
   that communicator finds the first and the last arrival of each call.  All ranks of it are there,
   at the same call, so one more collective operation is in order for all of them.

   Arrivals are compared by CLOCK_REALTIME: ranks on different machines as exactly as their clocks
   agree.  Context: the program's threads, in functions of MPI. */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/mpi/timed.h"

enum { CALLS = 1024 };

/* A communicator with the calls that are not judged yet.  One thread at a time calls collective
   operations of a communicator. */
struct late {
  MPI_Comm comm;
  struct late *next, **before;
  int n;
  MPI_Request request;
  unsigned place[CALLS];
  /* of call I: - the arrival at I, so that the maximum is the first; the arrival at N + I */
  int64_t arrival[2 * CALLS], last[2 * CALLS];
};

static int key = MPI_KEYVAL_INVALID;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list */
static struct late *all;

static void
unlink_late (struct late *late)
{
  pthread_mutex_lock (&lock);
  *late->before = late->next;
  if (late->next)
    late->next->before = late->before;
  pthread_mutex_unlock (&lock);
}

/* MPI frees the communicator. */
static int
leave (MPI_Comm comm, int which, void *value, void *unused)
{
  struct late *late = value;
  (void) comm;
  (void) which;
  (void) unused;
  if (late)
    {
      library->leave_unjudged ((uint64_t) late->n);
      unlink_late (late);
      free (late);
    }
  return MPI_SUCCESS;
}

void
late_start (void)
{
  if (PMPI_Comm_create_keyval (MPI_COMM_NULL_COPY_FN, leave, &key, NULL) != MPI_SUCCESS)
    key = MPI_KEYVAL_INVALID;
}

/* Are all ranks of COMM in MPI_COMM_WORLD, so that they keep lists, too?  Those that were spawned
   are not. */
static bool
is_of_world (MPI_Comm comm)
{
  MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL, both = MPI_GROUP_NULL;
  int inter = 1, all_of_it = 0, known = -1;
  PMPI_Comm_test_inter (comm, &inter);
  if (inter || PMPI_Comm_group (comm, &group) != MPI_SUCCESS)
    return false;
  PMPI_Comm_group (MPI_COMM_WORLD, &world);
  PMPI_Group_intersection (group, world, &both);
  PMPI_Group_size (group, &all_of_it);
  PMPI_Group_size (both, &known);
  PMPI_Group_free (&both);
  PMPI_Group_free (&world);
  PMPI_Group_free (&group);
  return known == all_of_it && known > 1;
}

/* A list for COMM, if each of its ranks has memory for one; null: for none. */
static struct late *
make_list (MPI_Comm comm)
{
  struct late *late = calloc (1, sizeof *late);
  int mine = late != NULL, everyones = 0;
  if (PMPI_Allreduce (&mine, &everyones, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS || !everyones)
    {
      free (late);
      return NULL;
    }
  late->comm = comm;
  pthread_mutex_lock (&lock);
  late->next = all;
  late->before = &all;
  if (all)
    all->before = &late->next;
  all = late;
  pthread_mutex_unlock (&lock);
  return late;
}

/* The list of COMM; null: its ranks keep none. */
static struct late *
find (MPI_Comm comm, bool make)
{
  struct late *late = NULL;
  int found = 0;
  if (key == MPI_KEYVAL_INVALID || comm == MPI_COMM_NULL
      || PMPI_Comm_get_attr (comm, key, &late, &found) != MPI_SUCCESS)
    return NULL;
  if (!found && make)
    {
      late = is_of_world (comm) ? make_list (comm) : NULL;
      PMPI_Comm_set_attr (comm, key, late);
    }
  return found || make ? late : NULL;
}

/* The arrivals must lie side by side: those of the last calls begin at N. */
static void
pack (struct late *late)
{
  for (int i = 0; i < late->n; i++)
    late->arrival[late->n + i] = -late->arrival[i];
}

/* LAST has the extremes of all ranks. */
static void
judge (struct late *late)
{
  for (int i = 0; i < late->n; i++)
    {
      const int64_t mine = late->arrival[late->n + i], last = late->last[late->n + i],
                    first = -late->last[i];
      library->judge (late->place[i], (uint64_t) (last - mine), (uint64_t) (last - first),
                      mine == last);
    }
  late->n = 0;
}

static void
judge_all (struct late *late)
{
  pack (late);
  if (late->n
      && PMPI_Allreduce (late->arrival, late->last, 2 * late->n, MPI_INT64_T, MPI_MAX, late->comm)
             == MPI_SUCCESS)
    judge (late);
}

void
late_note (MPI_Comm comm, unsigned place, uint64_t arrived)
{
  struct late *late = find (comm, true);
  if (!late)
    return;
  late->place[late->n] = place;
  late->arrival[late->n++] = -(int64_t) arrived;
  if (late->n == CALLS)
    judge_all (late);
}

void
late_leave (MPI_Comm comm)
{
  struct late *late = find (comm, false);
  if (late)
    judge_all (late);
}

/* The order in which ranks have them may differ, so none waits for one before it has begun all. */
void
late_end (void)
{
  for (struct late *late = all; late; late = late->next)
    {
      pack (late);
      if (!late->n
          || PMPI_Iallreduce (late->arrival, late->last, 2 * late->n, MPI_INT64_T, MPI_MAX,
                              late->comm, &late->request)
                 != MPI_SUCCESS)
        late->request = MPI_REQUEST_NULL;
    }
  for (struct late *late = all; late; late = late->next)
    if (late->n && late->request != MPI_REQUEST_NULL
        && PMPI_Wait (&late->request, MPI_STATUS_IGNORE) == MPI_SUCCESS)
      judge (late);
}
