/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folds sequences that repeat: of a loop's lines those of the first round are shown, and how
   often they come in all. */
#ifndef BBPROF_TRACE_FOLD_H
#define BBPROF_TRACE_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "tools/decode/trace_read.h"

enum { FOLD_LONGEST = 32, FOLD_ROOM = 1024 }; /* lines: of a sequence; kept */

struct fold {
  /* Shows a line, that comes TIMES times in a row. */
  void (*line) (void *of, const struct trace_event *, uint64_t times);
  /* The LINES lines before came TIMES times. */
  void (*group) (void *of, size_t lines, uint64_t times);
  void *of;
  /* Private. */
  struct trace_event lines[FOLD_ROOM];    /* not shown yet; in a repetition: its first round */
  size_t first, count;                    /* those in use begin at FIRST */
  size_t period;                          /* of the repetition; 0: there is none */
  uint64_t times;                         /* rounds that are whole */
  struct trace_event again[FOLD_LONGEST]; /* the round after these, so far */
  size_t nagain;
};

/* Lines are equal if block and depth are. */
void fold_add (struct fold *, const struct trace_event *);
/* Shows what is left. */
void fold_end (struct fold *);

#endif
