/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of several builds of a program, made profiles of one build, so that they add up: what
   belongs to a function goes to the function of that name.

   If the two functions have the same code, so do its blocks, lines and call sites.  Else its calls
   and samples go to the function's start, and its blocks are left out.  A function that the other
   build lacks keeps all it has: its build becomes an object of its own in the profile. */
#ifndef BBPROF_JOINS_H
#define BBPROF_JOINS_H

#include "common/error.h"
#include "model/sums/merge.h"

struct joins;

/* FILES, which must stay valid: NFILES programs that may be the builds, besides those at the paths
   that the profiles have.  Null: out of memory. */
struct joins *joins_new (const char *const *files, size_t nfiles);
void joins_free (struct joins *);

/* For struct merge. */
struct merge_joiner *joins_joiner (struct joins *);

/* Prints a line for each other build on stderr, with PROGRAM as prefix: how many functions were
   joined, and what was left out.  False: out of memory. */
bool joins_tell (struct joins *, const char *program);

#endif
