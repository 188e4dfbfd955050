/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the lock that a thread waits for, and the thread that owns it, by the arguments of its
   futex call and the memory of the lock. */
#ifndef BBPROF_LOCK_OWNER_H
#define BBPROF_LOCK_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

#include "collect/waits/areas.h"

/* A futex call in which a thread sleeps. */
struct lock_call {
  uint64_t address;
  unsigned long operation, value;
  enum bbs_why why; /* its wait reason */
  bool glibc;       /* WHY is known by a function of glibc, so the lock has glibc's layout */
};

/* Sets lock, holder, type, area and stack of the poll.  AREAS: of the process. */
void lock_find (struct areas *, const struct lock_call *, struct bbs_look *);

#endif
