/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading when samples were taken, gmon.out.bbs (include/bbprof-samples.h).  What is good up to
   the first damage is used. */
#ifndef BBPROF_SAMPLES_READ_H
#define BBPROF_SAMPLES_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/streams/watched.h"
#include "common/error.h"
#include "include/bbprof-samples.h"

struct samples_thread {
  uint32_t number;            /* as in the sidecar */
  struct bbs_sample *samples; /* in order of time */
  size_t n, room;
  uint64_t lost; /* for which its ring had no room */
};

struct samples_file {
  const char *name; /* borrowed */
  uint64_t run;     /* its number, as in the sidecar */
  bool whole;
  struct error why;               /* it is not whole */
  struct samples_thread *threads; /* by number */
  size_t nthreads, room_threads;
  uint32_t *flags; /* private: those of NFLAGS samples that come next */
  size_t nflags;
  struct bbs_watch watch; /* HOW 0: nobody has watched who runs when */
  char *unwatched;        /* null, or why that could not be watched: text for people */
  struct watched watched;
  struct bbs_wait waits[BBS_WAITS]; /* for the profiler */
  size_t nwaits;
  struct bbx_loss *losses; /* each cause ends with a zero */
  size_t nlosses;
};

/* False: it is no such file, or memory is short.  samples_file_close is right in both cases. */
bool samples_file_open (struct samples_file *, const char *name, struct error *);
void samples_file_close (struct samples_file *);

#endif
