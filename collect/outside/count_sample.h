/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts a sample in the tree of its process. */
#ifndef BBPROF_COUNT_SAMPLE_H
#define BBPROF_COUNT_SAMPLE_H

#include "collect/outside/session.h"

/* False: out of memory. */
bool sample_take (struct outside *, struct process *, struct process_thread *,
                  const struct outside_record *);

#endif
