/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of functions as the lines of the call graph have them, with cycle and number: each
   is made once, for many lines. */
#ifndef BBPROF_LABELS_H
#define BBPROF_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/row.h"
#include "gprof-compat/report.h"

struct labels {
  char *text;
  size_t *start; /* of each symbol's, in text; the next one's is its end */
};

/* Of all functions with calls or time; the others' are empty.  False: no memory; labels_free is
   right in both cases. */
bool labels_make (struct labels *, const struct report *);
void labels_free (struct labels *);

/* Prints the row with the name at its end, as a line. */
static inline void
labels_print (const struct labels *l, struct row *row, FILE *out, uint32_t node)
{
  row_long_text (row, l->text + l->start[node], l->start[node + 1] - l->start[node], out);
  row_text (row, "\n");
  row_print (row, out);
}

#endif
