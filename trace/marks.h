/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks of a piece: what time it was.  Most lie on a straight line between others, and are left out. */
#ifndef BBPROF_MARKS_H
#define BBPROF_MARKS_H

#include "bytes.h"
#include "runtime/bbprof-trace.h"

enum { MARKS_WORDS, MARKS_TOKENS, MARKS_TICKS, MARKS_LISTS };

/* Ticks that a mark may lie from the line between its neighbours and still be left out: some 10 us. */
#define MARKS_TOLERANCE 32768

/* Leaves out what the others say as well; HEAD says where the line begins and ends.  How many are left. */
size_t marks_thin (const struct bbt_piece *head, struct bbt_mark *marks, size_t n);

/* The lists need room for N numbers.  Marks ascend. */
void marks_write (const struct bbt_piece *head, const struct bbt_mark *marks, size_t n, struct bytes *lists);

/* False: damaged. */
bool marks_read (const struct bbt_piece *head, struct bbt_mark *marks, size_t n, struct reading *lists);

#endif
