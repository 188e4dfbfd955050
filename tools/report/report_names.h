/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What functions are called, and those that share their name with another one of the same object:
   static ones of several files. */
#ifndef BBPROF_REPORT_NAMES_H
#define BBPROF_REPORT_NAMES_H

#include <stdbool.h>

#include "tools/report/report_emit.h"

/* The name of a node's function for people, good as long as the table; null: no memory. */
const char *report_name (struct report_table *, uint32_t node);

/* Of each symbol, whether it is one of several, in fresh memory; null: there is none. */
bool *report_find_namesakes (const struct symtab *);

/* Where S begins, in fresh memory: file and line, or else the address.  Null: there is none. */
char *report_where (const struct symbol *s);

#endif
