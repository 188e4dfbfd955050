/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bar that shows a share of the whole: a cell of a table on a terminal. */
#ifndef BBPROF_BAR_H
#define BBPROF_BAR_H

#include "tools/view/columns.h"

/* The title of a column of bars. */
#define BAR_COLUMN                          \
  {                                         \
    .title = "", .left = true, .heat = true \
  }

/* Adds the bar of SHARE (0 to 1) in eighths of a character, or in whole characters where the
   locale is not UTF-8.  Where STYLE has no bars, adds an empty cell, so the column is left out. */
void bar_add (struct columns *, const struct style *, double share);

#endif
