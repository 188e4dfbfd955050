/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of a table while it is put together.  Reports have millions of them, for which printf
   takes its time. */
#ifndef BBPROF_ROW_H
#define BBPROF_ROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct row {
  size_t size;
  char text[1024]; /* room for three numbers of any size */
};

/* An initializer would fill the text as well. */
static inline void
row_begin (struct row *r)
{
  r->size = 0;
}

/* Each adds the bytes that printf would print with this format: */
void row_text (struct row *, const char *);                   /* %s, of a short one */
void row_blanks (struct row *, int width);                    /* %*s, of nothing */
void row_number (struct row *, int width, uint64_t);          /* %*lu */
void row_number_left (struct row *, int width, uint64_t);     /* %-*lu */
void row_fixed (struct row *, int width, int digits, double); /* %*.*f, one or two digits */
/* %-*.*s, of what has been added since START. */
void row_cut (struct row *, size_t start, int width);

/* Adds any text; if the row has no room for it, both are printed. */
void row_long_text (struct row *, const char *, size_t size, FILE *);

/* Prints the row, which is empty then. */
void row_print (struct row *, FILE *);

#endif
