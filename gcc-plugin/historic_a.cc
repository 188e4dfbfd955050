/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -a, the historic form of counting: one word for each block, nothing that follows from others,
   no constructor.  What happens to a function, in the order of the code that results:

   - FUNCTION_BLOCK_PROFILER at the entry, before the prologue, for the reason that template.cc
     gives: a function whose unit is not registered calls __bb_init_func; with -pg the call of
     mcount, behind that or behind the prologue.
   - At the head of every block, in the order of the code, a label .LPB<n>, and BLOCK_PROFILER,
     which adds 1 to the word n of .LPBX2; at a head where the flags, or in the large model all
     registers, are in use, it keeps them. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/emit.h"
#include "gcc-plugin/historic.h"
#include "gcc-plugin/instrument.h"
#include "gcc-plugin/state.h"

/* HOOK stands at the entry of FN already; or null.  The last insn of all of it that is in the
   first block. */
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
    bbp_insert_counter (bbp_unit_state.nblocks - 1, label, &need, INSN_LOCATION (label));
  }
}
