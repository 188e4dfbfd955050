/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who calls a function of the page, and whom it calls. */
#ifndef BBPROF_REPORT_RELATIVES_H
#define BBPROF_REPORT_RELATIVES_H

#include "tools/report/report_emit.h"

/* The largest shares first, then most calls.  False: no memory. */
bool report_sort_relatives (struct report_relatives *);

/* By the calls that were counted.  False: no memory. */
bool report_find_relatives (struct report_table *, struct report_function *);

#endif
