/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the wait reason of a thread in a futex call, by the functions of libc on its stack, and the
   lock. */
#ifndef BBPROF_WAITS_H
#define BBPROF_WAITS_H

#include <stdint.h>
#include <sys/types.h>

#include "include/bbprof-samples.h"

struct waits;

/* Null: out of memory. */
struct waits *waits_new (pid_t pid);
void waits_free (struct waits *); /* may be null */

/* A futex call, in which thread TID of the process sleeps, and the thread's registers. */
struct waits_futex {
  uint32_t tid;
  uint64_t address;
  unsigned long operation, value;
  uint64_t pc, sp;
};

/* Its wait reason: by a function on the thread's stack, else by the operation.  Sets holder, lock,
   caller, stack, type and area of the poll.  Takes some microseconds; the first time for an object,
   some milliseconds. */
enum bbs_why waits_futex (struct waits *, const struct waits_futex *, struct bbs_look *);

/* Nanoseconds of processor time that these first times took.  Null: none. */
uint64_t waits_prepared (const struct waits *);

#endif
