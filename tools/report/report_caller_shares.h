/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BBPROF_REPORT_CALLER_SHARES_H
#define BBPROF_REPORT_CALLER_SHARES_H

#include "tools/report/report_emit.h"

/* Adds to T's splits and threads what the traces beside its profiles say; T's graph, blocks and
   counts are there.  Warns of traces that cannot be used, in COMMAND's name.  False: no memory. */
bool report_measure (struct report_table *, const char *command);

#endif
