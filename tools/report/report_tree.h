/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of the page: from the threads down to what they ran, as sampled. */
#ifndef BBPROF_REPORT_TREE_H
#define BBPROF_REPORT_TREE_H

#include "tools/report/report_emit.h"

/* Makes the rows: the threads that are shown, one for all of a name, and beneath them what took
   one percent of all or more, at most DEPTH calls deep.  The rows of functions are there.
   False: no memory; report_tree_free is right in both cases. */
bool report_make_tree (struct report_table *, size_t depth);
void report_tree_free (struct report_table *);

/* False: no memory. */
bool report_emit_tree (FILE *, const struct report_table *, const struct style *);
void report_emit_json_tree (FILE *, const struct report_table *); /* a member of an object */

#endif
