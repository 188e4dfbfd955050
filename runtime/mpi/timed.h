/* SPDX-License-Identifier: MIT */
/* State that the wrappers of MPI's functions share: the function that runs, and its start. */
#ifndef BBP_TIMED_H
#define BBP_TIMED_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/mpi/library.h"

#pragma GCC visibility push(hidden)

/* timed.c.  A library of MPI, and its Fortran half, may call functions of MPI themselves: of nested
   calls only the outermost one counts. */
struct timed {
  bool outermost;
  MPI_Comm comm;
  uint64_t began, arrived; /* nanoseconds, CLOCK_MONOTONIC; since 1970 */
};
/* COMM: whose ranks the call brings together, so that one of them comes last; or
   MPI_COMM_NULL. */
void timed_begin (struct timed *, MPI_Comm comm);
void timed_end (const struct timed *, enum bbm_call call, const void *site, uint64_t bytes);

/* Bytes of COUNT items of TYPE. */
uint64_t timed_bytes (int64_t count, MPI_Datatype type);
int timed_rank (MPI_Comm);
int timed_size (MPI_Comm);
int64_t timed_sum (const int *counts, MPI_Comm comm); /* one count for each rank of COMM */

/* late.c: which rank comes last to the collective calls of each communicator. */
void late_start (void);
/* A call of PLACE to which this rank came at ARRIVED. */
void late_note (MPI_Comm comm, unsigned place, uint64_t arrived);
void late_leave (MPI_Comm); /* judges what is left; all ranks of it call this */
void late_end (void);       /* of all communicators; all ranks of MPI_COMM_WORLD call this */

/* rank_tree.c: writes the profile of this rank, and with all ranks that of all. */
void tree_reduce (void);

#pragma GCC visibility pop

#endif
