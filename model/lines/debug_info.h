/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug information of one file, DWARF 2 to 5, through libdw: which unit, line and function
   an address is of.  A unit is read when it is asked for the first time. */
#ifndef BBPROF_DEBUG_INFO_H
#define BBPROF_DEBUG_INFO_H

#include "model/lines/debug_functions.h"
#include "model/lines/line_table.h"

struct debug_info;

/* What an address is of. */
struct debug_place {
  struct line_files *files;
  struct debug_functions *functions;
  const struct line_row *row; /* null: none */
  uint32_t function;          /* innermost of FUNCTIONS, or NO_FUNCTION */
};

/* That of the file PATH; null if it has none, or memory is short. */
struct debug_info *debug_info_open (const char *path);
void debug_info_close (struct debug_info *);

/* False if nothing is known of ADDRESS.  In both cases *END becomes the first address above
   where the answer is another, if that is below. */
bool debug_info_find (struct debug_info *, uint64_t address, struct debug_place *, uint64_t *end);

#endif
