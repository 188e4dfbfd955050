/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BBPROF_REPORT_JSON_STACKS_H
#define BBPROF_REPORT_JSON_STACKS_H

#include "tools/report/report_emit.h"

/* Prints the members stack_functions and stacks.  THREADS: indexes of the NTHREADS sampled
   threads in the model, in the order of the member sampled_threads.  False: no memory. */
bool report_emit_json_call_stacks (FILE *, const struct report_table *, const uint32_t *threads,
                                   size_t nthreads);

#endif
