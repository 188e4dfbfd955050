/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions as in the lines of the call graph, with cycle and number.  Each is made once
   and used in many lines. */
#ifndef BBPROF_LABELS_H
#define BBPROF_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/row.h"
#include "gprof-compat/report.h"

struct labels {
  char *text;
  size_t *start; /* offset of each symbol's name in text; it ends where the next begins */
};

/* Makes the labels of all functions with calls or time; others are empty.  False: out of memory.
   Call labels_free in both cases. */
bool labels_make (struct labels *, const struct report *);
void labels_free (struct labels *);

/* Prints the row as a line that ends with the name. */
static inline void
labels_print (const struct labels *l, struct row *row, FILE *out, uint32_t node)
{
  row_long_text (row, l->text + l->start[node], l->start[node + 1] - l->start[node], out);
  row_text (row, "\n");
  row_print (row, out);
}

#endif
