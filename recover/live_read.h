/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a live file (include/bbprof-live.h) and trusts nothing in it: each slice must lie within
   the file, and its contents within the slice.  The file is copied, so contents can be corrected
   in place. */
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
  /* Null: the process ended during its start, or in fork. */
  const struct bbl_head *head;
};

/* False: not a live file; see ERR. */
bool live_open (struct live_file *, const char *name, struct error *err);
void live_close (struct live_file *);

/* The next valid slice behind SLICE, or the first one if that is null.  Null: no more. */
struct bbl_slice *live_next (const struct live_file *, const struct bbl_slice *slice);

/* May the process still be counting? */
bool live_is_running (const struct live_file *);

#endif
