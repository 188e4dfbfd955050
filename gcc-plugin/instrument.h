/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass (pass.cc), its changes to a function (instrument.cc), and to the entry (hook.cc). */
#ifndef BBPROF_INSTRUMENT_H
#define BBPROF_INSTRUMENT_H

#include "gcc-plugin/plan.h"
#include "gcc-plugin/target/gcc-compat.h"

opt_pass *bbp_pass_make (void);

void bbp_instrument (function *fn);

/* Inserts the code of FN's entry: registers the unit, calls mcount, or makes the thread known.
   Returns the insn, or null if the entry needs no code. */
rtx_insn *bbp_insert_hook (function *fn, struct bbp_plan plan);

#endif
