/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run-time library's own state, put together again from a live file, so that its own merge
   and writers can do the rest.  Once in a process. */
#ifndef BBPROF_REBUILD_H
#define BBPROF_REBUILD_H

#include "recover/live_read.h"

bool rebuild (struct live_file *, struct error *err);

#endif
