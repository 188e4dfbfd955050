/* SPDX-License-Identifier: MIT */
/* The system calls that the library may still make after the program has restricted itself by
   seccomp.  process/sandbox.c decides, sys.h checks before each call.  Writers: the holder of the
   lock, and the thread that finds out about a filter. */
#ifndef BBP_ALLOWED_CALLS_H
#define BBP_ALLOWED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* A set of system calls, by number. */
#define BBP_CALL_NUMBERS 512
struct bbp_calls {
  uint64_t word[BBP_CALL_NUMBERS / 64];
};
bool bbp_calls_have (const struct bbp_calls *, long number);
void bbp_calls_add (struct bbp_calls *, long number);

struct bbp_calls bbp_allowed_calls (void);
/* If SANDBOXED, allow only CALLS from now on; else all. */
void bbp_allowed_set (bool sandboxed, const struct bbp_calls *calls);
/* A filter may be installed without the library noticing.  SEES reports whether one binds the
   calling thread and is called before each system call; null: no such filter is expected any
   more. */
void bbp_allowed_expect (bool (*sees) (void));
bool bbp_allowed_is_expecting (void);
/* A filter was installed, or it cannot be determined: no system call is allowed from now on. */
void bbp_allowed_end_expecting (void);

#pragma GCC visibility pop

#endif
