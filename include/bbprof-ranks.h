/* SPDX-License-Identifier: MIT */
/* The border between the run-time library and the shims for MPI (runtime/mpi): the library knows no
   MPI, the shims know no profile.  A program may have the library inside, without a symbol of it.
   So a shim finds it by a note.  Valid C11 and C++11. */
#ifndef BBM_RANKS_H
#define BBM_RANKS_H

#include <stdint.h>

/* The functions of MPI that are timed.  A call's number is its place in this list, from 1.  It
   stands in sidecars, so names are added at the end only. */
/* clang-format off */
#define BBM_CALLS(EACH)                                                                    \
  EACH (Send) EACH (Bsend) EACH (Ssend) EACH (Rsend) EACH (Recv) EACH (Isend)              \
  EACH (Ibsend) EACH (Issend) EACH (Irsend) EACH (Irecv) EACH (Sendrecv)                   \
  EACH (Sendrecv_replace) EACH (Probe) EACH (Iprobe) EACH (Wait) EACH (Waitall)            \
  EACH (Waitany) EACH (Waitsome) EACH (Test) EACH (Testall) EACH (Testany)                 \
  EACH (Testsome) EACH (Start) EACH (Startall) EACH (Barrier) EACH (Bcast)                 \
  EACH (Gather) EACH (Gatherv) EACH (Scatter) EACH (Scatterv) EACH (Allgather)             \
  EACH (Allgatherv) EACH (Alltoall) EACH (Alltoallv) EACH (Reduce) EACH (Allreduce)        \
  EACH (Reduce_scatter) EACH (Reduce_scatter_block) EACH (Scan) EACH (Exscan)              \
  EACH (Ibarrier) EACH (Ibcast) EACH (Iallreduce) EACH (Ireduce) EACH (Iallgather)         \
  EACH (Ialltoall) EACH (Comm_dup) EACH (Comm_split) EACH (Comm_create)                    \
  EACH (Win_fence) EACH (Put) EACH (Get) EACH (Accumulate) EACH (Win_lock)                 \
  EACH (Win_unlock) EACH (Win_flush)
/* clang-format on */

#define BBM_NUMBER(name) BBM_##name,
enum bbm_call { BBM_NONE, BBM_CALLS (BBM_NUMBER) BBM_END };

/* The files of a rank. */
struct bbm_files {
  char part[4096];    /* absolute: the rank's own profile */
  char sum[4096];     /* absolute: that of all ranks together; empty: its name is too long */
  char command[4096]; /* the program bbprof; empty: the installed one */
  int keeps_parts;    /* 1: the ranks' own files stay beside the sum */
};

/* The functions of the library.  BBM_NOTE_TYPE is the type of a note, by the name of
   BBC_NOTE_NAME, in the object that has the library; its content is the distance, 4 bytes, from
   there to this struct.  Fields are added at the end only; if one changes, the type does, too. */
#define BBM_NOTE_TYPE 4
struct bbm_library {
  /* MPI has started: this process is RANK of SIZE in MPI_COMM_WORLD.  From now on its profile has a
     name of its own.  Returns 1: the profiles of all ranks are to be added up; 0: they are not;
     -EINVAL: no profile is running. */
  int (*begin) (unsigned rank, unsigned size);

  /* The calling code at SITE (a return address) was in CALL for NANOSECONDS, and sent, or
     contributed, BYTES.  Any thread; hot: takes no lock.  Returns the number of the place where
     that was added; 0: there was no room, which is counted. */
  unsigned (*call) (enum bbm_call call, const void *site, uint64_t nanoseconds, uint64_t bytes);

  /* A collective call of PLACE is judged: this rank waited so long for the one that came last, and
     that came so long after the first.  LAST: it is this rank. */
  void (*judge) (unsigned place, uint64_t waited, uint64_t spread, int last);

  /* Of N collective calls it will stay unknown which rank came last. */
  void (*leave_unjudged) (uint64_t n);

  /* Writes the profile now; 0 or -errno. */
  int (*dump) (void);

  /* The profile ends: writes the rank's own file, completely.  What the process counts after this
     is in no file.  Returns 0, or -errno: not written; a line on stderr says so. */
  int (*end) (struct bbm_files *);

  /* "bbprof: SUBJECT: TEXT" on stderr, as the library prints its messages. */
  void (*complain) (const char *subject, const char *text);
};

/* Functions of a shim for `bbprof merge --mpi', which is a program of MPI itself then, and has no
   profile; the shim exports them by the name bbm_job.  Each rank brings a part: the sum of its
   share. */
#define BBM_WHY 400
struct bbm_job {
  /* Starts MPI.  0: it could not. */
  int (*start) (int *rank, int *size);
  /* Adds up the parts of all ranks; all of them call this.  WHY, of BBM_WHY bytes: not empty: this
     rank has no part, for that reason; in rank 0 afterwards: why there is no sum.  Returns 1: rank
     0 has written the sum. */
  int (*reduce) (const struct bbm_files *, char *why);
  void (*end) (void);
};

#endif
