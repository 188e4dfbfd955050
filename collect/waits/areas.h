/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which memory of another process an address lies: a copy of its map, which is read again when
   an address is not in it. */
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
  uint32_t stack; /* tid of a thread whose stack pointer was in it; 0: none yet */
};

struct areas {
  pid_t pid;
  struct area *list; /* by address */
  size_t n, room;
  uint64_t due; /* clock_now: the map is not read again before */
};

void areas_free (struct areas *);

/* The area of ADDRESS; null: not known.  The pointer is good up to the next call. */
struct area *areas_find (struct areas *, uint64_t address);

#endif
