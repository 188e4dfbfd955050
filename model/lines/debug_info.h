/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug information of one file, DWARF 2 to 5, through libdw: the unit, line and function of
   an address.  A unit is read when it is needed for the first time. */
#ifndef BBPROF_DEBUG_INFO_H
#define BBPROF_DEBUG_INFO_H

#include "model/lines/debug_functions.h"
#include "model/lines/line_table.h"

struct debug_info;

/* The line and the functions of an address. */
struct debug_place {
  struct line_files *files;
  struct debug_functions *functions;
  const struct line_row *row; /* null: none */
  uint32_t function;          /* innermost of FUNCTIONS, or NO_FUNCTION */
};

/* Opens the debug information of the file PATH.  Null: it has none, or out of memory. */
struct debug_info *debug_info_open (const char *path);
void debug_info_close (struct debug_info *);

/* False: ADDRESS is unknown.  In both cases lowers *END to the next address with another answer,
   if that is below. */
bool debug_info_find (struct debug_info *, uint64_t address, struct debug_place *, uint64_t *end);

#endif
