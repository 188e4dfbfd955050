/* SPDX-License-Identifier: MIT */
/* Wait reasons: what a sleeping thread waits for.  Pure. */
#ifndef BBP_WHY_H
#define BBP_WHY_H

#include "include/bbprof-samples.h"

#pragma GCC visibility push(hidden)

/* By the number of its system call, of this machine; -1: it is in none.  Enum bbs_why, or
   BBP_WHY_BY_DESCRIPTOR: it depends on the descriptor in the first argument;
   BBP_WHY_BY_OPERATION: it depends on the futex operation in the second. */
#define BBP_WHY_BY_DESCRIPTOR ((unsigned) BBS_WHYS)
#define BBP_WHY_BY_OPERATION (BBS_WHYS + 1U)
unsigned bbp_why_of_call (long call);

enum bbs_why bbp_why_of_futex (unsigned long operation);

/* Also by the function of libc that the thread waits in. */
enum bbs_why bbp_why_of_wait (unsigned long operation, enum bbs_why function);

/* In JSON, and for programs: one word. */
const char *bbp_why_name (enum bbs_why);

/* By what /proc/PID/fd says of the descriptor that the thread reads or writes ("": unknown), and
   by the thread's state. */
enum bbs_why bbp_why_of_descriptor (const char *what, char state);

/* By the kernel's function that the thread sleeps in (wchan).  These functions are renamed now and
   then; BBS_WHY_NOT_KNOWN: the name is not in the table. */
enum bbs_why bbp_why_of_function (const char *function);

#pragma GCC visibility pop

#endif
