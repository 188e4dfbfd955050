/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A live file (include/bbprof-live.h), of which nothing is believed but what was looked at: its
   slices, each within the file and within itself.  It is a copy, so what is read can be put
   right in place. */
#ifndef BBPROF_LIVE_READ_H
#define BBPROF_LIVE_READ_H

#include <stdbool.h>
#include <sys/stat.h>

#include "common/error.h"
#include "include/bbprof-live.h"

struct live_file {
  const char *name; /* borrowed */
  char *data;
  uint64_t bytes;
  struct stat st;
  /* null: the process ended before it had finished its start, or while it forked. */
  const struct bbl_head *head;
};

/* False: ERR says why it is none. */
bool live_open (struct live_file *, const char *name, struct error *err);
void live_close (struct live_file *);

/* The first valid slice behind SLICE, or the first of all if that is null; null: no more. */
struct bbl_slice *live_next (const struct live_file *, const struct bbl_slice *slice);

/* Whether the process may still be counting. */
bool live_is_running (const struct live_file *);

#endif
