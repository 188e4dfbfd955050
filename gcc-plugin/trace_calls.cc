/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ax=calls, the historic form of tracing: nothing is counted or decided inline.  A function gets,
   in the order of the resulting code:

   - FUNCTION_BLOCK_PROFILER at the entry, before the prologue (template.cc says why); with
     arcs=call the call of mcount, behind that or behind the prologue;
   - at the head of every block, in the order of the code, a label .LPB<n>, and BLOCK_PROFILER;
   - before every return, when the frame is removed, and every tail call
     FUNCTION_BLOCK_PROFILER_EXIT.

   What these texts change is free at an entry and before a return.  It is declared all the same,
   because callers compiled with -fipa-ra rely on it. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/emit.h"
#include "gcc-plugin/historic.h"
#include "gcc-plugin/lists/lists.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/target/cpu.h"

static_assert (BBP_CALLS_BLOCK_ROOM >= BBP_TARGET_RED_ZONE + 2 * 8,
               "two words for the text, below the red zone");

typedef void text_writer (FILE *file, int number, const struct bbp_site *site);

/* Puts a text of the macro set, which has EFFECTS, behind AFTER, with ROOM bytes of stack for it.
   Returns the last new insn. */
static rtx_insn *
insert_text (text_writer *write, int number, const struct bbp_effects *effects, HOST_WIDE_INT room,
             rtx_insn *after, location_t location)
{
  struct bbp_site site = {};
  bbp_unit_fill_site (&site);
  site.link_live = true;
  if (room)
    after = bbp_emit_stack_move (-room, after, location);
  FILE *file = bbp_text_begin ();
  fputs (bbp_target_syntax_begin (), file);
  write (file, number, &site);
  fputs (bbp_target_syntax_end (), file);
  after = bbp_emit_text (effects, after, location);
  return room ? bbp_emit_stack_move (room, after, location) : after;
}

/* HOOK is the hook that FN's entry already has; or null.  Returns the last insn of all hooks in
   the first block. */
static rtx_insn *
insert_init (function *fn, rtx_insn *hook)
{
  const struct bbp_macros *macros = bbp_unit_state.macros;
  struct bbp_effects effects = {};
  for (const char *const *name = macros->profiler_clobbers; *name; name++)
    bbp_clobber (&effects, word_mode, decode_reg_name (*name));
  rtx_insn *place = bbp_hook_place (fn, true);
  rtx_insn *init = insert_text (macros->calls_init, bbp_unit_state.nblocks, &effects,
                                BBP_CALLS_ENTER_ROOM, place,
                                bbp_block_location (BLOCK_FOR_INSN (place), place));
  return hook && BLOCK_FOR_INSN (hook) == BLOCK_FOR_INSN (init) ? hook : init;
}

static void
instrument_block (function *fn, basic_block bb, rtx_insn *start, const char *name, bool exits)
{
  const struct bbp_macros *macros = bbp_unit_state.macros;
  struct bbp_effects nothing = {}, link = {};
  rtx_insn *label = bbp_historic_add_block (fn, bb, start, name);
  insert_text (macros->calls_block, bbp_unit_state.nblocks - 1, &nothing, BBP_CALLS_BLOCK_ROOM,
               label, INSN_LOCATION (label));
  if (macros->calls_link)
    bbp_clobber (&link, word_mode, decode_reg_name (macros->calls_link));
  rtx_insn *place = exits ? bbp_exit_place (bb) : NULL;
  if (place)
    insert_text (macros->calls_exit, 0, &link, 0, place, INSN_LOCATION (NEXT_INSN (place)));
}

void
bbp_trace_calls_instrument (function *fn, rtx_insn *hook, bool whole)
{
  if (whole)
    hook = insert_init (fn, hook);
  struct bbp_names names;
  bbp_names_find (fn->decl, &names);
  /* The name that trace points use, so that the words of bb.in apply to both. */
  const char *name = xstrdup (names.shown);
  bbp_names_free (&names);
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
  instrument_block (fn, bb, bbp_block_start (bb, hook), name, whole);
}
