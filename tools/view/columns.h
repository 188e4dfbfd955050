/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of text, as wide as what is in it.  A column in which no row has anything is left out. */
#ifndef BBPROF_COLUMNS_H
#define BBPROF_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/view/style.h"

struct column {
  const char *title;
  bool left;  /* text; else numbers, which end in one column */
  bool gives; /* a name, which is shortened if the table is too wide, the last one first */
  bool deep;  /* and has two blanks in front for each level of a tree */
  bool heat;  /* coloured by the share that columns_share gave the row */
  bool spare; /* left out if the table is too wide with short names, the last one first */
};

struct columns {
  const struct column *head;
  size_t ncolumns;
  char **cells; /* row by row */
  size_t count, room;
  double *shares; /* of each row; null: none has been given */
  size_t shares_room;
  bool failed; /* memory was short */
};

#define COLUMNS_NOTHING "-" /* the cell of what is not known */

void columns_open (struct columns *, const struct column *head, size_t ncolumns);
void columns_free (struct columns *);

/* The next row has SHARE of the whole, 0 to 1: from a tenth on it is hot, from a fiftieth on
   warm.  Called before its cells are added, for each row or for none. */
void columns_share (struct columns *, double share);

/* Adds one cell, to the right of the one before, or in the next row. */
void columns_add (struct columns *, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* False if memory was short, now or before. */
bool columns_print (const struct columns *, FILE *, const struct style *);

#endif
