/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the report that comes from sampled stacks: measured times, threads, the tree. */
#ifndef BBPROF_REPORT_STACKS_H
#define BBPROF_REPORT_STACKS_H

#include "tools/report/report_emit.h"

/* Called before the rows are made: measures the threads that match PATTERN by name, number or
   tid; null: all.  False: ERR says that no thread matches, that stacks are needed and missing,
   or that memory is exhausted. */
bool report_time (struct report_table *, const char *pattern, struct error *);
void report_time_free (struct report_table *);

/* Measured callers and callees, with calls where they were counted.  False: no memory. */
bool report_find_measured (struct report_table *, struct report_function *);

#endif
