/* SPDX-License-Identifier: MIT */
/* The functions of MPI with which a rank and its communicators begin and end.  Context: the
   program's threads. */
#include <stdlib.h>
#include <string.h>

#include "runtime/mpi/timed.h"

/* One of these may call another one. */
static bool begun, ended;
static bool together; /* the profiles of all ranks are added up; the same in all of them */

/* Does this rank take part in operations of all ranks, beside the program's own?  Not where other
   programs run in the same job: these may not have the wrappers. */
static bool
takes_part (int wanted)
{
  const char *programs = getenv ("OMPI_NUM_APP_CTX");
  return wanted > 0 && (!programs || strcmp (programs, "1") == 0);
}

static void
begin (int error)
{
  int mine, everyones = 0, wanted;
  if (error || begun)
    return;
  begun = true;
  library_find ();
  if (!library)
    return;
  wanted = library->begin ((unsigned) timed_rank (MPI_COMM_WORLD),
                           (unsigned) timed_size (MPI_COMM_WORLD));
  mine = takes_part (wanted);
  together = (mine || wanted < 0)
             && PMPI_Allreduce (&mine, &everyones, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD)
                    == MPI_SUCCESS
             && everyones;
  if (together)
    late_start ();
}

static void
end (void)
{
  if (!together || ended)
    return;
  ended = true;
  late_end ();
  tree_reduce ();
}

int
MPI_Init (int *argc, char ***argv)
{
  int error = PMPI_Init (argc, argv);
  begin (error);
  return error;
}

int
MPI_Init_thread (int *argc, char ***argv, int wanted, int *given)
{
  int error = PMPI_Init_thread (argc, argv, wanted, given);
  begin (error);
  return error;
}

int
MPI_Finalize (void)
{
  end ();
  return PMPI_Finalize ();
}

/* It ends the process in ways that the library does not see. */
int
MPI_Abort (MPI_Comm comm, int code)
{
  if (library)
    library->dump ();
  return PMPI_Abort (comm, code);
}

int
MPI_Comm_free (MPI_Comm *comm)
{
  late_leave (*comm);
  return PMPI_Comm_free (comm);
}

/* Fortran's own; weak, as in mpi_calls.c. */
#define FORTRAN(prefix, suffix)                                                              \
  void prefix##_init_##suffix (MPI_Fint *error) __attribute__ ((weak));                      \
  void prefix##_init_thread_##suffix (MPI_Fint *wanted, MPI_Fint *given, MPI_Fint *error)    \
      __attribute__ ((weak));                                                                \
  void prefix##_finalize_##suffix (MPI_Fint *error) __attribute__ ((weak));                  \
  void prefix##_abort_##suffix (MPI_Fint *comm, MPI_Fint *code, MPI_Fint *error)             \
      __attribute__ ((weak));                                                                \
  void prefix##_comm_free_##suffix (MPI_Fint *comm, MPI_Fint *error) __attribute__ ((weak)); \
  void mpi_init_##suffix (MPI_Fint *error);                                                  \
  void mpi_init_thread_##suffix (MPI_Fint *wanted, MPI_Fint *given, MPI_Fint *error);        \
  void mpi_finalize_##suffix (MPI_Fint *error);                                              \
  void mpi_abort_##suffix (MPI_Fint *comm, MPI_Fint *code, MPI_Fint *error);                 \
  void mpi_comm_free_##suffix (MPI_Fint *comm, MPI_Fint *error);                             \
                                                                                             \
  void mpi_init_##suffix (MPI_Fint *error)                                                   \
  {                                                                                          \
    MPI_Fint own = 0;                                                                        \
    error = error ? error : &own;                                                            \
    prefix##_init_##suffix (error);                                                          \
    begin (*error);                                                                          \
  }                                                                                          \
                                                                                             \
  void mpi_init_thread_##suffix (MPI_Fint *wanted, MPI_Fint *given, MPI_Fint *error)         \
  {                                                                                          \
    MPI_Fint own = 0;                                                                        \
    error = error ? error : &own;                                                            \
    prefix##_init_thread_##suffix (wanted, given, error);                                    \
    begin (*error);                                                                          \
  }                                                                                          \
                                                                                             \
  void mpi_finalize_##suffix (MPI_Fint *error)                                               \
  {                                                                                          \
    end ();                                                                                  \
    prefix##_finalize_##suffix (error);                                                      \
  }                                                                                          \
                                                                                             \
  void mpi_abort_##suffix (MPI_Fint *comm, MPI_Fint *code, MPI_Fint *error)                  \
  {                                                                                          \
    if (library)                                                                             \
      library->dump ();                                                                      \
    prefix##_abort_##suffix (comm, code, error);                                             \
  }                                                                                          \
                                                                                             \
  void mpi_comm_free_##suffix (MPI_Fint *comm, MPI_Fint *error)                              \
  {                                                                                          \
    late_leave (PMPI_Comm_f2c (*comm));                                                      \
    prefix##_comm_free_##suffix (comm, error);                                               \
  }

FORTRAN (pmpi, )
/* The module mpi_f08, in which the error may be missing. */
#ifdef OPEN_MPI
FORTRAN (pmpi, f08_)
#else
FORTRAN (pmpir, f08_)
#endif
