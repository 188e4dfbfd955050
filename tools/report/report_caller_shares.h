/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BBPROF_REPORT_CALLER_SHARES_H
#define BBPROF_REPORT_CALLER_SHARES_H

#include "tools/report/report_emit.h"

/* Adds callers' shares and threads of the traces beside T's profiles; T's graph, blocks and
   counts are ready.  Warns about traces that cannot be used, with COMMAND as prefix.  False: no
   memory. */
bool report_measure (struct report_table *, const char *command);

#endif
