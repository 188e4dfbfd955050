/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a long piece of work is: one line on stderr that is written over, if that is a
   terminal, and after a second only. */
#ifndef BBPROF_PROGRESS_H
#define BBPROF_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct progress {
  const char *name; /* what works; borrowed */
  size_t all;       /* 0: not known */
  bool wanted, shown;
  struct timespec next; /* when to say something again */
};

void progress_start (struct progress *, const char *name, size_t all);
void progress_tell (struct progress *, size_t done);

/* The line is gone: before anything else is said, and in the end. */
void progress_clear (struct progress *);

#endif
