/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of cells as characters. */
#ifndef BBPROF_TIMELINE_STRIP_H
#define BBPROF_TIMELINE_STRIP_H

#include <stdio.h>

#include "tools/timeline/timeline_cells.h"
#include "tools/view/style.h"

/* Prints the cells; running and ready time always shows, however short. */
void timeline_strip_print (FILE *, const struct style *, bool ascii, const struct timeline_scale *,
                           const struct timeline_cell *);

/* The legend, in lines of WIDTH columns. */
void timeline_strip_legend (FILE *, const struct style *, bool ascii, size_t width);

/* The letter of thread I in the rows of processors; threads without one have TIMELINE_NO_KEY. */
#define TIMELINE_NO_KEY '+'
char timeline_strip_key (size_t i);
void timeline_strip_print_key (FILE *, const struct style *, size_t i);

#endif
