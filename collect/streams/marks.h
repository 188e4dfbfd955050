/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reduces the times of a trace: the marks of a piece, its start and its end.  Marks near a
   straight line between others are left out.  Most pieces take as long, after as long a pause, as
   the previous piece, so their times are predicted.  Without this most of a trace would be the
   noise of its times. */
#ifndef BBPROF_MARKS_H
#define BBPROF_MARKS_H

#include "collect/streams/bytes.h"
#include "include/bbprof-trace.h"

enum { MARKS_WORDS, MARKS_TOKENS, MARKS_TICKS, MARKS_LISTS };

/* The largest error of a time that is left out: about 10 us. */
#define MARKS_TOLERANCE 32768 /* ticks */
#define MARKS_TOLERANCE_NS 10000

/* Replaces start and end of a piece by the prediction from the N pieces BEFORE it, where that is
   within the tolerance. */
void marks_smooth (struct bbt_piece *head, const struct bbt_piece *before, size_t n);

/* Drops the marks that the others imply; HEAD has the ends of the line.  Returns how many are
   left. */
size_t marks_thin (const struct bbt_piece *head, struct bbt_mark *marks, size_t n);

/* The lists need room for N numbers each.  Marks ascend. */
void marks_write (const struct bbt_piece *head, const struct bbt_mark *marks, size_t n,
                  struct bytes *lists);

/* False: damaged. */
bool marks_read (const struct bbt_piece *head, struct bbt_mark *marks, size_t n,
                 struct reading *lists);

#endif
