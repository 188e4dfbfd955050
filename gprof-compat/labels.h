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

/* What a line shows of a function, in one place: lines are about functions anywhere in memory. */
struct label {
  const char *text;
  size_t size;
  uint64_t calls; /* of the function, or of its whole cycle */
};

struct labels {
  struct label *of; /* each symbol */
  char *text;
};

/* Makes the labels of all functions with calls or time; others are empty.  False: out of memory.
   Call labels_free in both cases. */
bool labels_make (struct labels *, const struct report *);
void labels_free (struct labels *);

/* Ends the line with the name. */
static inline void
labels_end_line (const struct labels *l, struct row *row, FILE *out, uint32_t node)
{
  row_long_text (row, l->of[node].text, l->of[node].size, out);
  row_end_line (row, out);
}

#endif
