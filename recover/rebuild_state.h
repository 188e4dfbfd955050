/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rebuilds from the live file's state: objects, settled and retired counts, and modules, at first
   without counters. */
#ifndef BBPROF_REBUILD_STATE_H
#define BBPROF_REBUILD_STATE_H

#include "recover/live_read.h"
#include "runtime/base/state.h"

bool rebuild_state (const struct live_file *, const struct bbl_slice *, struct error *err);

/* The calling context tree of the whole file: rebuild_stacks.c. */
bool rebuild_stacks (const struct live_file *, struct error *err);
/* The thread NUMBER, from 1; false: there was none. */
bool stacks_describe_thread (uint32_t number, struct bbx_thread *);

/* Code and linkage tables of the process, see struct bbp_dump_above: rebuild_code.c. */
const unsigned char *rebuild_code_at (uintptr_t address, size_t *n);
bool rebuild_code_slot (uintptr_t address, uintptr_t *content);
const struct bbp_decoder *rebuild_decoder (void);
/* False: the program's code is for a processor that has no decoder, so nothing can be derived from
   it.  To be asked before. */
bool rebuild_code_is_known (void);

/* The number of the module's counters, as the state says. */
uint64_t state_counts (const struct bbp_module *);
int state_rate (void); /* ticks a second; 0: nothing was sampled */

#endif
