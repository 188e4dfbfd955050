/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rebuilds the run-time library's own state from a live file, so that its own merge and writers
   make the profile.  At most once in a process. */
#ifndef BBPROF_REBUILD_H
#define BBPROF_REBUILD_H

#include "recover/live_read.h"

bool rebuild (struct live_file *, struct error *err);

#endif
