/* SPDX-License-Identifier: MIT */
/* The live file, from which the profile of a killed process can be recovered. */
#ifndef BBP_LIVE_H
#define BBP_LIVE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"

#pragma GCC visibility push(hidden)

/* live.c: the live file.  Cold, lock held. */
/* Calls from the live file to higher rooms. */
struct bbp_live_above {
  bool (*alone) (void);        /* cold: only the calling thread can be counting now */
  void (*leave_place) (void);  /* cold: give the main thread copies of the counters */
  uint64_t (*due) (void);      /* any: ticks that the CPU clock and the rate imply; 0: not known */
  uint64_t (*left_out) (void); /* any: ticks of stopped threads */
  int (*rate) (void);          /* any: ticks a second */
};
extern const struct bbp_live_above bbp_live_above;
void bbp_live_start (void);
void bbp_live_forked (void); /* in the child: create a file of its own */
void bbp_live_remove (void); /* the profile has been written */
void bbp_live_return (void); /* after a removal: the process continues */
void bbp_live_save (void);   /* the meaning of the counts has changed; save the state */
/* Signal, too: update the clocks; TICKS: number of samples since the last call. */
void bbp_live_tick (unsigned ticks);
void bbp_live_head_ready (void);
void bbp_live_name_profile (void); /* the name of the next dump may have changed */
void bbp_live_add_module (struct bbp_module *);
/* Before a thread's counter word for the unit is set to a copy. */
void bbp_live_add_unit (struct bbp_module *, const struct bb *);

#pragma GCC visibility pop

#endif
