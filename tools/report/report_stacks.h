/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page has from stacks: times that are measured, threads, the tree. */
#ifndef BBPROF_REPORT_STACKS_H
#define BBPROF_REPORT_STACKS_H

#include "tools/report/report_emit.h"

/* Before the rows are made: measures the threads that PATTERN means, by name, number or tid;
   null: all.  False, with ERR's text: there is no such thread; no stacks, and they are wanted;
   or no memory. */
bool report_time (struct report_table *, const char *pattern, struct error *);
void report_time_free (struct report_table *);

/* Callers and callees as measured, with calls where they were counted.  False: no memory. */
bool report_find_measured (struct report_table *, struct report_function *);

#endif
