/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a thread waits for whose system call does not say it: by the functions of libc that it is
   in. */
#ifndef BBPROF_WAITS_H
#define BBPROF_WAITS_H

#include <stdint.h>
#include <sys/types.h>

#include "include/bbprof-samples.h"

struct waits;

/* Null: no memory. */
struct waits *waits_new (pid_t pid);
void waits_free (struct waits *); /* null: nothing to do */

/* Of a thread of the process that sleeps at PC with stack pointer SP; BBS_WHY_NOT_KNOWN: its
   stack cannot be read, or leads out of the object before a function comes that says it.  Some
   microseconds; the first time for an object, some milliseconds. */
enum bbs_why waits_why (struct waits *, uint64_t pc, uint64_t sp);

/* Nanoseconds of a processor that those first times have taken.  Null: none. */
uint64_t waits_prepared (const struct waits *);

#endif
