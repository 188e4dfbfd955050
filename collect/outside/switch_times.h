/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which thread of a process had which processor when, for the timeline. */
#ifndef BBPROF_SWITCH_TIMES_H
#define BBPROF_SWITCH_TIMES_H

#include "collect/outside/outside_process.h"
#include "collect/streams/file_write.h"
#include "collect/streams/pack.h"
#include "common/error.h"

/* Begins to watch P.  False: ERR says why not. */
bool switch_times_begin (struct process *p, struct error *err);

/* Takes what was seen of P since the last call; LAST: nothing follows. */
void switch_times_take (struct process *p, bool last);

/* Records that were lost. */
uint64_t switch_times_lost (const struct process *p);

/* Writes all of it.  False: some is lost. */
bool switch_times_write (const struct process *p, struct packer *, struct trace_out *);
void switch_times_end (struct process *p);

#endif
