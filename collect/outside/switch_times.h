/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which thread of a process had which processor when, for the timeline. */
#ifndef BBPROF_SWITCH_TIMES_H
#define BBPROF_SWITCH_TIMES_H

#include "collect/outside/outside_process.h"
#include "collect/outside/perf_records.h"
#include "collect/streams/file_write.h"
#include "collect/streams/pack.h"
#include "common/error.h"

/* Begins to watch P, which runs already.  False: ERR says why not. */
bool switch_times_begin (struct process *p, struct error *err);
/* The same for a process or a program that has just begun, whose records come from then on.  Out of
   memory: it is not watched. */
void switch_times_begin_new (struct process *p);

/* A record of T, before it changes T: of its begin, its end, or a switch; or of a loss, T null.
   Ignored, unless P has just begun, or is not watched. */
void switch_times_add (struct process *p, const struct process_thread *t,
                       const struct outside_record *);

/* Takes what was seen of P since the last call; LAST: nothing follows. */
void switch_times_take (struct process *p, bool last);

/* Records that were lost. */
uint64_t switch_times_lost (const struct process *p);

/* Writes all of it.  False: some is lost. */
bool switch_times_write (const struct process *p, struct packer *, struct trace_out *);
void switch_times_end (struct process *p);

#endif
