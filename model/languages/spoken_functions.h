/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of languages in the stacks of all runs, each once.  They have addresses of the
   model's own, behind all objects: of a language, a function in it, and a line in that. */
#ifndef BBPROF_SPOKEN_FUNCTIONS_H
#define BBPROF_SPOKEN_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/files/bbx_stacks.h"

struct language_function {
  uint64_t address;  /* of line 0 */
  char *name;        /* with file and line, as reports show it: fib (app.py:3) */
  char *text, *file; /* the name alone, and the whole file name: in one memory; file "": unknown */
  unsigned line;     /* the first one; 0: unknown */
};

/* A line of a function; or the function, where the line is unknown. */
struct language_line {
  uint64_t address;
  uint64_t ticks; /* of the stacks whose innermost frame of a language is there */
};

struct languages {
  char **names; /* of the languages, in brackets: [python] */
  size_t n, room;
  struct language_function *functions; /* in the order of their addresses after languages_sort */
  size_t nfunctions, room_functions;
  struct language_line *lines; /* by address, each once, after languages_sort */
  size_t nlines, room_lines;
  struct language_key *keys; /* private: a hash of them */
};

#define LANGUAGES_BASE (1UL << 62 | 1UL << 61)
#define LANGUAGE_SIZE (1UL << 48)
#define LANGUAGE_FUNCTION_SIZE (1UL << 24)

/* Enters X's functions and the ticks of their lines, and moves the addresses of their frames to
   the model's.  False: out of memory. */
bool languages_enter (struct languages *, struct bbx_stacks *x);
/* After the last one.  False: out of memory. */
bool languages_sort (struct languages *);
/* The language of an address of the model, as in NAMES; null: it is of native code. */
const char *languages_at (const struct languages *, uint64_t address);
/* The function that begins at ADDRESS; there is one. */
const struct language_function *languages_function (const struct languages *, uint64_t address);
/* The lines of that function that have ticks; their number. */
size_t languages_lines (const struct languages *, uint64_t address,
                        const struct language_line **first);
void languages_free (struct languages *);

#endif
