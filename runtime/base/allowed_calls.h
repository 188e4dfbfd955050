/* SPDX-License-Identifier: MIT */
/* Which system calls the library may make, once the program has given some up: process/sandbox.c
   says so.  Writers: lock, and who hears of a filter; asked by sys.h. */
#ifndef BBP_ALLOWED_CALLS_H
#define BBP_ALLOWED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* System calls by number, from 0. */
#define BBP_CALL_NUMBERS 512
struct bbp_calls {
  uint64_t word[BBP_CALL_NUMBERS / 64];
};
bool bbp_calls_have (const struct bbp_calls *, long number);
void bbp_calls_add (struct bbp_calls *, long number);

struct bbp_calls bbp_allowed_calls (void);
/* Only CALLS from now on, if SANDBOXED; else all. */
void bbp_allowed_set (bool sandboxed, const struct bbp_calls *calls);
/* A filter may come unseen: SEES says whether one binds the calling thread, and is asked before
   each call; null: none may come any more. */
void bbp_allowed_expect (bool (*sees) (void));
bool bbp_allowed_is_expecting (void);
/* One has come, or nobody can say: none of the calls is allowed. */
void bbp_allowed_end_expecting (void);

#pragma GCC visibility pop

#endif
