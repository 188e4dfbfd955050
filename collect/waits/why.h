/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sleeping thread waits for. */
#ifndef BBPROF_WHY_H
#define BBPROF_WHY_H

#include "include/bbprof-samples.h"

/* By the number of the system call that it sleeps in, of this machine; -1: in none.  Enum
   bbs_why, or WHY_BY_DESCRIPTOR: it depends on what the first argument is a descriptor of;
   WHY_BY_OPERATION: on the second, what a futex is to do. */
#define WHY_BY_DESCRIPTOR ((unsigned) BBS_WHYS)
#define WHY_BY_OPERATION (BBS_WHYS + 1U)
unsigned why_of_call (long call);

enum bbs_why why_of_futex (unsigned long operation);

/* By the function of libc that it waits in, too (waits.h). */
enum bbs_why why_of_wait (unsigned long operation, enum bbs_why function);

/* By what /proc/PID/fd says of the descriptor that it reads or writes ("" if that is not known),
   and its state. */
enum bbs_why why_of_descriptor (const char *what, char state);

/* By the kernel's function that it sleeps in (wchan).  Those are renamed now and then;
   BBS_WHY_NOT_KNOWN: the name says nothing. */
enum bbs_why why_of_function (const char *function);

#endif
