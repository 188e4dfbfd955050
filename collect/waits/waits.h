/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a thread in a futex call waits for: by the functions of libc that it is in, and by the
   lock. */
#ifndef BBPROF_WAITS_H
#define BBPROF_WAITS_H

#include <stdint.h>
#include <sys/types.h>

#include "include/bbprof-samples.h"

struct waits;

/* Null: no memory. */
struct waits *waits_new (pid_t pid);
void waits_free (struct waits *); /* null: nothing to do */

/* A futex call, in which thread TID of the process sleeps, and the registers that it was made
   with. */
struct waits_futex {
  uint32_t tid;
  uint64_t address;
  unsigned long operation, value;
  uint64_t pc, sp;
};

/* What that is for: as far as the thread's stack leads to a function that says it, else by the
   operation.  Sets holder, lock, caller, stack, type and area of the look.  Some microseconds; the
   first time for an object, some milliseconds. */
enum bbs_why waits_futex (struct waits *, const struct waits_futex *, struct bbs_look *);

/* Nanoseconds of a processor that those first times have taken.  Null: none. */
uint64_t waits_prepared (const struct waits *);

#endif
