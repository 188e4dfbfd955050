/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts a sample in the tree of its process. */
#ifndef BBPROF_COUNT_SAMPLE_H
#define BBPROF_COUNT_SAMPLE_H

#include "collect/outside/session.h"

/* Of wall time: the thread gets a processor at NOW, or the recording ends: counts the time since it
   left one where it left. */
void sample_wakes (struct outside *, struct process *, struct process_thread *, uint64_t now);

/* Of wall time: finds where a thread sleeps that left its processor before it was attached to. */
void sample_sleeps (struct outside *, struct process *, struct process_thread *);

/* False: out of memory. */
bool sample_take (struct outside *, struct process *, struct process_thread *,
                  const struct outside_record *);

#endif
