/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -a, the historic form of counting: each block has its own counter, no counts are derived, and
   there is no constructor.  A function gets, in the order of the resulting code:

   - FUNCTION_BLOCK_PROFILER at the entry, before the prologue (template.cc says why): it calls
     __bb_init_func if the unit is not registered; with -pg the call of mcount, behind that or
     behind the prologue;
   - at the head of each block, in the order of the code, a label .LPB<n> and BLOCK_PROFILER,
     which adds 1 to word n of .LPBX2.  Where the flags are in use, or in the large model all
     registers, it preserves them. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/emit.h"
#include "gcc-plugin/historic.h"
#include "gcc-plugin/instrument.h"
#include "gcc-plugin/lists/lists.h"
#include "gcc-plugin/state.h"

/* HOOK is the hook that FN's entry already has; or null.  Returns the last insn of all hooks in
   the first block. */
static rtx_insn *
insert_init (function *fn, rtx_insn *hook)
{
  struct bbp_plan plan = {};
  plan.init = true;
  rtx_insn *init = bbp_insert_hook (fn, plan);
  return hook && BLOCK_FOR_INSN (hook) == BLOCK_FOR_INSN (init) ? hook : init;
}

void
bbp_historic_a_instrument (function *fn, rtx_insn *hook, bool init)
{
  if (init)
    hook = insert_init (fn, hook);
  struct bbp_names names;
  bbp_names_find (fn->decl, &names);
  const char *name = xstrdup (names.shown);
  bbp_names_free (&names);
  struct bbp_need need = bbp_counter_need ();
  need.here = true;
  df_analyze ();
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
  {
    rtx_insn *label = bbp_historic_add_block (fn, bb, bbp_block_start (bb, hook), name);
    struct bbp_counter counter = { bbp_unit_state.nblocks - 1, 0, INVALID_REGNUM };
    bbp_insert_counter (&counter, label, &need, INSN_LOCATION (label));
  }
}
