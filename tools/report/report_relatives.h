/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callers and callees of the functions in the report. */
#ifndef BBPROF_REPORT_RELATIVES_H
#define BBPROF_REPORT_RELATIVES_H

#include "tools/report/report_emit.h"

/* Sorts by share, then by calls, largest first.  False: no memory. */
bool report_sort_relatives (struct report_relatives *);

/* From the counted calls.  False: no memory. */
bool report_find_relatives (struct report_table *, struct report_function *);

#endif
