/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code at a function's entry, in one text: registers the unit; calls mcount, or else makes
   the thread known; records that the function was entered. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/emit.h"
#include "gcc-plugin/historic.h"
#include "gcc-plugin/instrument.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/target/cpu.h"

rtx_insn *
bbp_insert_hook (function *fn, struct bbp_plan plan)
{
  if (!plan.init && !plan.call_mcount && !plan.attach && !plan.trace)
    return NULL;
  const struct bbp_macros *macros = bbp_unit_state.macros;
  bool before = bbp_unit_state.before || !plan.call_mcount;
  rtx_insn *place = plan.call_mcount || plan.init || plan.trace ? NULL : bbp_frame_end (fn);
  struct bbp_site site = {};
  bbp_unit_fill_site (&site);
  site.chain_live = DECL_STATIC_CHAIN (fn->decl);
  site.vector_bytes = bbp_target_vector_bytes ();
  site.link_live = true;
  FILE *file = bbp_text_begin ();
  fputs (bbp_target_syntax_begin (), file);
  if (plan.init)
    macros->function_init_profiler (file, bbp_unit_state.nblocks, &site);
  if (plan.call_mcount)
    {
      site.mcount = bbp_target_mcount (fn, before);
      site.profile_counter = bbp_unit_state.profile_block_flag && !site.large;
      if (site.profile_counter)
        bbp_historic_add_counter (current_function_funcdef_no);
      macros->function_profiler (file, current_function_funcdef_no, &site);
    }
  else if (plan.attach)
    {
      site.red_zone = place != NULL;
      macros->function_block_profiler (file, bbp_unit_state.nblocks, &site);
    }
  if (plan.trace)
    macros->trace_enter (file, fn->funcdef_no, bbp_unit_state.nblocks, &site);
  fputs (bbp_target_syntax_end (), file);

  struct bbp_effects effects = {};
  bbp_clobber_flags (&effects);
  for (const char *const *name = macros->profiler_clobbers; *name; name++)
    bbp_clobber (&effects, word_mode, decode_reg_name (*name));
  if (!place)
    place = bbp_hook_place (fn, before);
  return bbp_emit_text (&effects, place, bbp_block_location (BLOCK_FOR_INSN (place), place));
}
