/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks beside the kernel's records of switches: why somebody sleeps, how long who was woken up
   had to wait, and each thread once at the beginning and at the end. */
#ifndef BBPROF_MONITOR_LOOKS_H
#define BBPROF_MONITOR_LOOKS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/streams/watched.h"
#include "common/error.h"

struct looks;

/* Times in what is looked at are nanoseconds from STARTED (CLOCK_MONOTONIC) on; RATE: rounds a
   second at most.  Null: ERR says why. */
struct looks *looks_open (pid_t pid, uint64_t started, unsigned rate, struct error *err);
void looks_close (struct looks *); /* may be null */

enum bbs_reasons looks_reasons (const struct looks *);

/* TID lives, and was there before the first switch was told. */
void looks_add (struct looks *, uint32_t tid);

/* The N switches, in order of time: who sleeps since when, who is born, who has died. */
void looks_switches (struct looks *, const struct bbs_switch *, size_t n);

/* When the next round is due: CLOCK_MONOTONIC, nanoseconds; UINT64_MAX: not before somebody goes
   to sleep. */
uint64_t looks_due (const struct looks *);

/* Looks at whoever is due, or at ALL: adds to W.  False: no memory. */
bool looks_take (struct looks *, struct watched *w, bool all);

#endif
