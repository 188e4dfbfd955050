/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of what a table of ranks shows. */
#ifndef BBPROF_RANK_NAMES_H
#define BBPROF_RANK_NAMES_H

#include <stdint.h>

#include "tools/ranks/rank_table.h"

/* The row that ADDRESS belongs to: a function; file, line and function; or also the address of a
   block.  In new memory; null: out of memory. */
char *rank_name (const struct rank_table *, uint64_t address);

/* Function, file and line of ADDRESS; likewise. */
char *rank_place (const struct rank_table *, uint64_t address);

#endif
