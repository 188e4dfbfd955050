/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text table with columns as wide as their widest cells.  A column without any value is left
   out. */
#ifndef BBPROF_COLUMNS_H
#define BBPROF_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/view/style.h"

struct column {
  const char *title;
  bool left;  /* text, left-aligned; else numbers, right-aligned */
  bool gives; /* a name; shortened if the table is too wide, from the last such column on */
  bool deep;  /* indented by two blanks for each level of a tree */
  bool heat;  /* coloured by the share that columns_share gave the row */
  /* left out if the table is too wide even with shortened names, from the last such column on */
  bool spare;
};

struct columns {
  const struct column *head;
  size_t ncolumns;
  char **cells; /* row by row */
  size_t count, room;
  double *shares; /* of each row; null: no share was given */
  size_t shares_room;
  bool failed; /* memory was exhausted */
};

#define COLUMNS_NOTHING "-" /* the cell of an unknown value */

void columns_open (struct columns *, const struct column *head, size_t ncolumns);
void columns_free (struct columns *);

/* SHARE (0 to 1) of the next row in the whole; it sets the row's colour
   (style_heat).  Called before the row's cells are added, for all rows or for none. */
void columns_share (struct columns *, double share);

/* Adds one cell, to the right of the last one, or in the next row. */
void columns_add (struct columns *, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* False: memory was exhausted, now or in a call before. */
bool columns_print (const struct columns *, FILE *, const struct style *);

#endif
