/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress of a long operation: one line on stderr, overwritten at each update, only on a
   terminal, and only after a second. */
#ifndef BBPROF_PROGRESS_H
#define BBPROF_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct progress {
  const char *name; /* the operation; borrowed */
  size_t all;       /* 0: unknown */
  bool wanted, shown;
  struct timespec next; /* time of the next update */
};

void progress_start (struct progress *, const char *name, size_t all);
void progress_tell (struct progress *, size_t done);

/* Removes the line: before any other output, and at the end. */
void progress_clear (struct progress *);

#endif
