/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What time it was: the marks of a piece, its start and its end.  Most marks lie on a straight
   line between others, and are left out; most pieces come after as long a pause as the one
   before them, and take as long.  A trace would else be made of little but their noise. */
#ifndef BBPROF_MARKS_H
#define BBPROF_MARKS_H

#include "collect/streams/bytes.h"
#include "include/bbprof-trace.h"

enum { MARKS_WORDS, MARKS_TOKENS, MARKS_TICKS, MARKS_LISTS };

/* By how much what is left out may be wrong: some 10 us. */
#define MARKS_TOLERANCE 32768 /* ticks */
#define MARKS_TOLERANCE_NS 10000

/* Start and end of a piece as the N pieces BEFORE it foretell them, where that is near enough. */
void marks_smooth (struct bbt_piece *head, const struct bbt_piece *before, size_t n);

/* Leaves out what the others say as well; HEAD says where the line begins and ends.  How many
   are left. */
size_t marks_thin (const struct bbt_piece *head, struct bbt_mark *marks, size_t n);

/* The lists need room for N numbers.  Marks ascend. */
void marks_write (const struct bbt_piece *head, const struct bbt_mark *marks, size_t n,
                  struct bytes *lists);

/* False: damaged. */
bool marks_read (const struct bbt_piece *head, struct bbt_mark *marks, size_t n,
                 struct reading *lists);

#endif
