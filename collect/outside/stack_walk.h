/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unwinds the stack of another process, by the run-time library's unwinder. */
#ifndef BBPROF_STACK_WALK_H
#define BBPROF_STACK_WALK_H

#include "collect/outside/outside_process.h"
#include "collect/outside/perf_records.h"

enum { STACK_DEPTH = 512 }; /* frames at most; the innermost ones are kept */

/* The stack of the sample, innermost first, into FRAMES (STACK_DEPTH). */
struct bbp_unwound stack_walk (const struct process *, const struct outside_record *,
                               struct bbp_frame *frames);

/* The number of the system call that the sample is in, or BBP_SYSCALL_.... */
long stack_system_call (const struct process *, const struct outside_record *);

void stack_walk_start (void); /* before the first stack */

#endif
