/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of a function as GCC 2.95 did: tables of the historic layout and what fills them. */
#ifndef BBPROF_HISTORIC_H
#define BBPROF_HISTORIC_H

#include "gcc-plugin/plan.h"
#include "gcc-plugin/target/gcc-compat.h"

/* historic.cc: units with tables of the historic layout. */
/* There is to be a variable .LP<LABELNO>, FUNCTION_PROFILER's. */
void bbp_historic_add_counter (int labelno);
/* Number BB, and put its label behind START; the new insn. */
rtx_insn *bbp_historic_add_block (function *fn, basic_block bb, rtx_insn *start, const char *name);
/* The insn behind which what is to be done when the function is left by BB goes; or null: it is
   not. */
rtx_insn *bbp_exit_place (basic_block bb);
void bbp_historic_finish (const char *filename); /* FILENAME: the unit's name */

/* historic_a.cc: -a.  HOOK: what stands at FN's entry, or null; INIT: its entry registers the
   unit. */
void bbp_historic_a_instrument (function *fn, rtx_insn *hook, bool init);

/* trace_calls.cc: ax=calls.  HOOK: what stands at FN's entry, or null; WHOLE: entries and ends
   are told of, too. */
void bbp_trace_calls_instrument (function *fn, rtx_insn *hook, bool whole);

/* template.cc: the user's own macro set, from the file that the option names.  False, with one
   error message, if it cannot be used. */
bool bbp_template_start (const char *file);
bool bbp_template_before_prologue (void); /* is FUNCTION_PROFILER's place */
void bbp_template_instrument (function *fn, struct bbp_plan plan);

#endif
