/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The historic instrumentation, as of GCC 2.95: tables of the historic layout, and the code that
   uses them. */
#ifndef BBPROF_HISTORIC_H
#define BBPROF_HISTORIC_H

#include "gcc-plugin/plan.h"
#include "gcc-plugin/target/gcc-compat.h"

/* historic.cc: units with tables of the historic layout. */
/* Requests a variable .LP<LABELNO> for FUNCTION_PROFILER. */
void bbp_historic_add_counter (int labelno);
/* Numbers BB and puts its label behind START; returns the new insn. */
rtx_insn *bbp_historic_add_block (function *fn, basic_block bb, rtx_insn *start, const char *name);
/* The insn behind which code for leaving the function by BB goes; null: BB does not leave it. */
rtx_insn *bbp_exit_place (basic_block bb);
void bbp_historic_finish (const char *filename); /* FILENAME: the unit's name */

/* historic_a.cc: -a.  HOOK: the last hook at FN's entry, or null.  INIT: its entry registers the
   unit. */
void bbp_historic_a_instrument (function *fn, rtx_insn *hook, bool init);

/* trace_calls.cc: ax=calls.  HOOK: the last hook at FN's entry, or null.  WHOLE: entries and
   exits are recorded, too. */
void bbp_trace_calls_instrument (function *fn, rtx_insn *hook, bool whole);

/* template.cc: the user's own macro set, from the file that the option names.  False: one error
   was printed, and the set cannot be used. */
bool bbp_template_start (const char *file);
bool bbp_template_before_prologue (void); /* of FUNCTION_PROFILER */
void bbp_template_instrument (function *fn, struct bbp_plan plan);

#endif
