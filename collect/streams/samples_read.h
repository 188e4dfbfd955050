/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the times of samples, gmon.out.bbs (include/bbprof-samples.h).  Everything up to the
   first damage is used. */
#ifndef BBPROF_SAMPLES_READ_H
#define BBPROF_SAMPLES_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/streams/chunks.h"
#include "collect/streams/watched.h"
#include "common/error.h"
#include "include/bbprof-samples.h"

struct samples_thread {
  uint32_t number;            /* as in the sidecar */
  struct bbs_sample *samples; /* in order of time */
  size_t n, room;
  uint64_t lost; /* samples for which the ring had no room */
};

struct samples_file {
  const char *name; /* borrowed */
  uint64_t run;     /* run id, as in the sidecar */
  bool whole;
  bool torn;        /* it is not whole, but good up to its end: its writer was killed */
  struct error why; /* the damage, if the file is not whole */
  struct samples_thread *threads; /* by number */
  size_t nthreads, room_threads;
  uint32_t *flags; /* private: flags of the next NFLAGS samples */
  size_t nflags;
  struct bbs_watch watch; /* HOW 0: recorded without --timeline */
  char *unwatched;        /* null, or why the threads could not be watched, for users */
  struct watched watched;
  size_t looks_of_chunk; /* private: of the last chunk of polls, until its chunk of locks is read */
  struct bbs_wait waits[BBS_WAITS]; /* for the profiler */
  size_t nwaits;
  struct bbx_loss *losses; /* each cause is terminated */
  size_t nlosses;
};

/* The file with the times of PROFILE, in new memory: PROFILE.bbs, which exists while the process
   runs and after a kill; else the sidecar.  Null: out of memory. */
char *samples_file_name (const char *profile);

/* Opens the file NAME, or the one inside of the sidecar NAME. */
bool samples_chunks_open (struct chunks *, const char *name, struct error *);

/* The same, and reads it.  False: not such a file, or out of memory.  Call samples_file_close in
   both cases. */
bool samples_file_open (struct samples_file *, const char *name, struct error *);
void samples_file_close (struct samples_file *);

/* watched_read.c, for samples_read.c: reads the current chunk, of TYPE, into F if it has states of
   threads, markers or calls of MPI.  False: damaged, or out of memory, as F->why says. */
bool watched_read (struct samples_file *f, const struct chunks *, uint32_t type);

#endif
