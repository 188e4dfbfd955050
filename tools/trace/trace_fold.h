/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folds repeated sequences of lines: prints the lines of a loop's first iteration, and the
   number of iterations. */
#ifndef BBPROF_TRACE_FOLD_H
#define BBPROF_TRACE_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "tools/decode/trace_read.h"

enum { FOLD_LONGEST = 32, FOLD_ROOM = 1024 }; /* lines: of the longest sequence; kept */

struct fold {
  /* Prints a line that comes TIMES times in a row. */
  void (*line) (void *of, const struct trace_event *, uint64_t times);
  /* The last LINES lines came TIMES times. */
  void (*group) (void *of, size_t lines, uint64_t times);
  void *of;
  /* Private. */
  /* lines not printed yet; in a repetition: its first iteration */
  struct trace_event lines[FOLD_ROOM];
  size_t first, count;                    /* the lines in use begin at FIRST */
  size_t period;                          /* of the repetition; 0: none */
  uint64_t times;                         /* complete iterations */
  struct trace_event again[FOLD_LONGEST]; /* lines of the next iteration so far */
  size_t nagain;
};

/* Lines are equal if block and depth are equal. */
void fold_add (struct fold *, const struct trace_event *);
/* Prints the remaining lines. */
void fold_end (struct fold *);

#endif
