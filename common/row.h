/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds lines of a table.  Reports have millions of them, for which printf is too slow. */
#ifndef BBPROF_ROW_H
#define BBPROF_ROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  ROW_LINES = 15360, /* from this size on, the row is printed at a line's end */
  ROW_LINE = 1024,   /* room for three numbers of any size */
  ROW_STEP = 16,     /* blanks are written so many at a time, also beyond the end */
};

struct row {
  size_t size;
  char text[ROW_LINES + ROW_LINE + ROW_STEP];
};

/* Not an initializer, because that would clear the text. */
static inline void
row_begin (struct row *r)
{
  r->size = 0;
}

/* Each appends what printf would print with this format: */
void row_text (struct row *, const char *);                   /* %s, for short text */
void row_blanks (struct row *, int width);                    /* %*s, for an empty string */
void row_number (struct row *, int width, uint64_t);          /* %*lu */
void row_number_left (struct row *, int width, uint64_t);     /* %-*lu */
void row_fixed (struct row *, int width, int digits, double); /* %*.*f, one or two digits */
/* The number of characters of %lu. */
int row_digits (uint64_t);
/* %-*.*s, for what was appended since START */
void row_cut (struct row *, size_t start, int width);

/* Appends text of any length; if the row has no room for it, both are printed. */
void row_long_text (struct row *, const char *, size_t size, FILE *);

/* Prints the row and empties it. */
void row_print (struct row *, FILE *);

/* Ends a line.  The row is printed when it has several lines. */
void row_end_line (struct row *, FILE *);

#endif
