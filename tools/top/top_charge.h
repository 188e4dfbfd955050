/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that make the sums of top_sums.h. */
#ifndef BBPROF_TOP_CHARGE_H
#define BBPROF_TOP_CHARGE_H

#include "tools/top/top_sums.h"

/* top_sums.c: the last thread of that number, living or not; null: there is none. */
struct top_thread *top_find (const struct top_sums *, uint32_t tid);
/* null: out of memory */
struct top_thread *top_add (struct top_sums *, uint32_t tid, uint64_t time);
void top_die (struct top_sums *, struct top_thread *, uint64_t time);
/* Forgets the oldest ended threads, if there are too many. */
void top_forget (struct top_sums *);

/* top_charge.c: the sums of processor CPU; null: unknown, or out of memory. */
struct top_cpu *top_cpu (struct top_sums *, uint16_t cpu);
/* NS (may be negative) of the time from FROM to TO were spent in STATE. */
void top_spend (struct top_sums *, struct top_thread *, enum timeline_state, uint64_t from,
                uint64_t to, int64_t ns);
/* Charges its time up to TIME to its state; if more was charged already, takes that back. */
void top_charge (struct top_sums *, struct top_thread *, uint64_t time);
/* Corrects its state, from the beginning of the state. */
void top_recharge (struct top_sums *, struct top_thread *, enum timeline_state);
/* The wait reason of the present sleep is found. */
void top_explain (struct top_thread *, const struct bbs_look *);
/* Sets the reason without charging time. */
void top_set_reason (struct top_thread *, const struct bbs_look *);
/* Its state ends at TIME, and a new one begins, on CPU if it runs. */
void top_leave (struct top_sums *, struct top_thread *, uint64_t time);
void top_enter (struct top_sums *, struct top_thread *, uint64_t time, enum timeline_state,
                uint16_t cpu);

#endif
