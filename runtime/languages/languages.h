/* SPDX-License-Identifier: MIT */
/* Languages that interpreters execute: the list of them, the functions that a thread executes,
   and the names of these. */
#ifndef BBP_LANGUAGES_H
#define BBP_LANGUAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof-file.h"
#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/unwind/unwind.h"

#pragma GCC visibility push(hidden)

/* A registered language.  Its number is its index in bbp_languages, plus 1. */
struct bbp_language {
  const struct bbprof_language *provider; /* null: none; atomic */
  struct bbx_language facts;              /* since the last reset; writers: handlers, atomically */
  uint64_t alone;       /* of facts.cut: collections without frames around them; atomic */
  uint64_t undescribed; /* functions that it did not know at the last dump; lock */
};
extern struct bbp_language bbp_languages[BBX_LANGUAGES_MOST];
/* Any: how many there are. */
unsigned bbp_languages_number (void);
/* Any: the one that PROVIDER registered, or null. */
struct bbp_language *bbp_language_of (const struct bbprof_language *provider);

/* Cold, lock held. */
void bbp_languages_write (struct bbp_out *); /* writes the chunks about languages */
void bbp_languages_reset (void);             /* counts from zero */
void bbp_languages_report (void); /* says on stderr, once, what is wrong with a language */

/* language_functions.c: all functions that have been sampled.  Cold, lock held. */
bool bbp_functions_start (const struct bbp_language *); /* false: no memory */
/* The address of a frame in the tree: that of FUNCTION at POSITION.  A function that cannot be one,
   or has no room, counts as an unknown one.  Signal. */
uintptr_t bbp_function_key (struct bbp_language *, unsigned long function, unsigned position);
/* In place of a function: the interpreter collects garbage. */
#define BBP_FUNCTION_COLLECTS 0UL
#define BBP_FUNCTION_NONE UINT64_MAX           /* an unknown one */
uint64_t bbp_function_address (uintptr_t key); /* of such a frame in the sidecar */
/* A chunk for each function; returns how many the interpreter does not know. */
uint64_t bbp_functions_write (struct bbp_out *, const struct bbp_language *);

/* language_stack.c: what a sample needs for the frames of languages. */
enum { BBP_LANGUAGE_DEPTH = 1024 }; /* frames of a language in a stack, at most */
struct bbp_language_frames {
  struct bbprof_native native[BBP_DEPTH];
  /* The frames of all languages that the last sample found, the innermost first. */
  struct bbp_spoken {
    struct bbp_language *language;
    const struct bbprof_frame *frames;
    size_t n, left; /* left: those that have not been put into the tree */
    bool cut;       /* there are outer ones */
    bool collects;  /* the first one says that the interpreter collects garbage */
  } spoken[BBX_LANGUAGES_MOST];
  size_t nspoken;
  /* Will tell its frames later; null: none does.  Its frames belong beneath the native frame that
     is at this place of the stack. */
  struct bbp_language *late;
  uintptr_t late_stack;
  bool late_collects;
  struct bbprof_frame frames[BBP_LANGUAGE_DEPTH + 1];
};
/* Asks all languages for the frames of the calling thread, interrupted in CONTEXT, with N native
   frames.  Each frame then has a stack address.  Signal. */
void bbp_languages_ask (struct bbp_language_frames *, const void *context, size_t n);
/* A sample that stands for TICKS has the frames of LANGUAGE.  Signal. */
void bbp_language_count (struct bbp_language *, unsigned ticks, bool cut, bool collects);
/* The same for a sample in a garbage collection, without the frames around that. */
void bbp_language_count_alone (struct bbp_language *, unsigned ticks);

#pragma GCC visibility pop

#endif
