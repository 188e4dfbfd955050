/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of top_sums.h have between themselves. */
#ifndef BBPROF_TOP_CHARGE_H
#define BBPROF_TOP_CHARGE_H

#include "tools/top/top_sums.h"

/* top_sums.c: the last thread of that number, dead or not; null: there was none. */
struct top_thread *top_find (const struct top_sums *, uint32_t tid);
struct top_thread *top_add (struct top_sums *, uint32_t tid, uint64_t time); /* null: no memory */
void top_die (struct top_sums *, struct top_thread *, uint64_t time);
/* The dead, of whom there are too many. */
void top_forget (struct top_sums *);

/* top_charge.c: what processor CPU did; null: not known, or no memory. */
struct top_cpu *top_cpu (struct top_sums *, uint16_t cpu);
/* NS (or less than none) of the time from FROM to TO were spent in STATE. */
void top_spend (struct top_sums *, struct top_thread *, enum timeline_state, uint64_t from,
                uint64_t to, int64_t ns);
/* Its time up to TIME, in the state it is in; if more is charged already, that is taken back. */
void top_charge (struct top_sums *, struct top_thread *, uint64_t time);
/* All of its present state was another one. */
void top_recharge (struct top_sums *, struct top_thread *, enum timeline_state);
/* The reason of the present sleep has been found. */
void top_explain (struct top_thread *, const struct bbs_look *);
/* The same, without its time. */
void top_set_reason (struct top_thread *, const struct bbs_look *);
/* Its state ends at TIME; a new one begins then, on CPU if it runs. */
void top_leave (struct top_sums *, struct top_thread *, uint64_t time);
void top_enter (struct top_sums *, struct top_thread *, uint64_t time, enum timeline_state,
                uint16_t cpu);

#endif
