/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display names of functions, also of those that share a name with another one of the same
   object (static functions of several files). */
#ifndef BBPROF_REPORT_NAMES_H
#define BBPROF_REPORT_NAMES_H

#include <stdbool.h>

#include "tools/report/report_emit.h"

/* The display name of a node's function, valid as long as the table; null: no memory. */
const char *report_name (struct report_table *, uint32_t node);

/* Of each symbol: does another one have its name?  Allocated; null: no memory. */
bool *report_find_namesakes (const struct symtab *);

/* The beginning of S: file and line, or else the address.  Allocated; null: no memory. */
char *report_where (const struct symbol *s);

#endif
