/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory map of another process: in which kind of memory an address lies.  The map is read
   again when an address is not in it. */
#ifndef BBPROF_AREAS_H
#define BBPROF_AREAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "include/bbprof-samples.h"

struct area {
  uint64_t low, high;
  enum bbs_area kind;
  uint32_t stack; /* tid of a thread with the stack pointer in it; 0: none seen */
};

struct areas {
  pid_t pid;
  struct area *list; /* by address */
  size_t n, room;
  uint64_t due; /* clock_now: the map is not read again before that */
};

void areas_free (struct areas *);

/* The area of ADDRESS; null: unknown.  Valid up to the next call. */
struct area *areas_find (struct areas *, uint64_t address);

#endif
