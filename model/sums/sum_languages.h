/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the languages of several profiles: languages of the same name are one, and so are
   functions of the same language, name, file and line. */
#ifndef BBPROF_SUM_LANGUAGES_H
#define BBPROF_SUM_LANGUAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/output.h"
#include "model/files/bbx_languages.h"

struct sum_function;

struct sum_languages {
  struct bbx_languages all;       /* functions by their ids, from 1, in the order of addition */
  struct sum_function *functions; /* a hash of them */
};

void sum_languages_free (struct sum_languages *);

/* Adds the languages of X.  False: out of memory, or more languages than a profile can have; then
   only sum_languages_free is allowed. */
bool sum_languages_add (struct sum_languages *, const struct bbx_languages *x);

/* The address of a frame in the sum, with the function's id.  Its function is the one of X at
   ADDRESS; 0: out of memory. */
uint64_t sum_languages_move (struct sum_languages *, const struct bbx_languages *x,
                             uint64_t address);

/* After the last one: the functions get numbers that do not depend on the order of the profiles.
   Returns the number of each id in new memory, or null. */
uint32_t *sum_languages_finish (struct sum_languages *);

/* After that: writes the chunks.  False: out of memory. */
bool sum_languages_write (const struct sum_languages *, struct output *);

#endif
