/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of the report: from the threads down to the functions that they called, as
   sampled. */
#ifndef BBPROF_REPORT_TREE_H
#define BBPROF_REPORT_TREE_H

#include "tools/report/report_emit.h"

/* Makes the rows: one for all shown threads of the same name, and beneath them each call with
   one percent of the total or more, at most DEPTH calls deep.  The rows of functions are ready.
   False: no memory; call report_tree_free in both cases. */
bool report_make_tree (struct report_table *, size_t depth);
void report_tree_free (struct report_table *);

/* False: no memory. */
bool report_emit_tree (FILE *, const struct report_table *, const struct style *);
/* Prints a member of an object. */
void report_emit_json_tree (FILE *, const struct report_table *);

#endif
