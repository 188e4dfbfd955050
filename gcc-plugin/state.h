/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the compilation unit while it is compiled.  unit.cc sets what holds for all of
   it, at its start; who puts something into the code numbers it here. */
#ifndef BBPROF_STATE_H
#define BBPROF_STATE_H

#include "gcc-plugin/plan.h"
#include "gcc-plugin/macros/macros.h"

struct bbp_unit_state {
  const struct bbp_macros *macros; /* null: write nothing (an error has been given) */
  enum bbp_arcs arcs;              /* BBP_ARCS_NONE without -pg */
  bool before;                     /* the call to mcount goes before the prologue, to __fentry__ */
  bool templates;                  /* the user's macro set is in the place of MACROS */
  /* GCC 2.95's: 0, 1 (-a) or 2 (-ax); not 0: the tables are those of the historic layout. */
  int profile_block_flag;
  int nblocks, ncalls, ncounters; /* numbered so far */
  /* The same, of those that trace.cc copies, and of code where only comes who records. */
  int nbranches, nzones;
  bool names; /* there are records of names */
};

extern struct bbp_unit_state bbp_unit_state;

/* Set what is the same in the whole unit: pic, large, historic and update. */
void bbp_unit_fill_site (struct bbp_site *site);
/* Set everything but the numbers of what it has; NAME: for people. */
void bbp_unit_describe (struct bbp_unit *unit, const char *name);

#endif
