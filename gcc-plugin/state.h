/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the compilation unit.  unit.cc sets at its start what holds for the whole unit;
   code that inserts something numbers it here. */
#ifndef BBPROF_STATE_H
#define BBPROF_STATE_H

#include "gcc-plugin/plan.h"
#include "gcc-plugin/macros/macros.h"

struct bbp_unit_state {
  const struct bbp_macros *macros; /* null: write nothing (an error was printed) */
  enum bbp_arcs arcs;              /* BBP_ARCS_NONE without -pg */
  bool before;    /* mcount is called before the prologue, by its entry __fentry__ */
  bool templates; /* the user's macro set replaces MACROS */
  /* GCC 2.95's: 0, 1 (-a) or 2 (-ax).  Not 0: the tables have the historic layout. */
  int profile_block_flag;
  int nblocks, ncalls, ncounters, ncall_sites; /* numbered so far */
  int nbranches;                               /* the same: ends of blocks that trace.cc copied */
  bool names;                                  /* there are records of names */
};

extern struct bbp_unit_state bbp_unit_state;

/* Sets the fields that are the same in the whole unit: pic, large, historic and update. */
void bbp_unit_fill_site (struct bbp_site *site);
/* Sets all fields but the numbers of items.  NAME: for users. */
void bbp_unit_describe (struct bbp_unit *unit, const char *name);

#endif
