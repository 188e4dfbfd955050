/* SPDX-License-Identifier: MIT */
/* The live file, from which the counts can be had when the process is killed. */
#ifndef BBP_LIVE_H
#define BBP_LIVE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"

#pragma GCC visibility push(hidden)

/* live.c: the live file.  Cold, lock held. */
/* What the live file asks of those above it. */
struct bbp_live_above {
  bool (*alone) (void);        /* cold: nobody but the calling thread can be counting just now */
  void (*leave_place) (void);  /* cold: the main thread has copies from now on */
  uint64_t (*due) (void);      /* any: ticks by the CPU clock and the rate; 0: not known */
  uint64_t (*left_out) (void); /* any: ticks of stopped threads */
  int (*rate) (void);          /* any: ticks a second */
};
extern const struct bbp_live_above bbp_live_above;
void bbp_live_start (void);
void bbp_live_forked (void); /* in the child: a file of its own */
void bbp_live_remove (void); /* all of it has been written */
void bbp_live_return (void); /* after a removal: it goes on after all */
void bbp_live_save (void);   /* what the counts mean has changed */
/* Signal too: time goes by, of which so many ticks were sampled. */
void bbp_live_tick (unsigned ticks);
void bbp_live_head_ready (void);
void bbp_live_name_profile (void); /* the next dump has perhaps another name */
void bbp_live_add_module (struct bbp_module *);
/* Before a thread's word for it is pointed to a copy. */
void bbp_live_add_unit (struct bbp_module *, const struct bb *);

#pragma GCC visibility pop

#endif
