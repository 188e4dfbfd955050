/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of the passes that insert code: they find the insn to put code behind, and have the
   macro set write there, with the registers that liveness.cc chooses. */
#include "gcc-plugin/emit.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/target/cpu.h"

location_t
bbp_location_behind (rtx_insn *insn, location_t otherwise)
{
  while (insn != BB_END (BLOCK_FOR_INSN (insn)))
    {
      insn = NEXT_INSN (insn);
      if (NONDEBUG_INSN_P (insn) && INSN_HAS_LOCATION (insn))
        return INSN_LOCATION (insn);
    }
  return otherwise;
}

/* Without a line of its own the counter would get the line before it, which may be in any other
   block. */
location_t
bbp_block_location (basic_block bb, rtx_insn *start)
{
  if (INSN_P (start) && INSN_HAS_LOCATION (start))
    return INSN_LOCATION (start);
  return bbp_location_behind (start, single_succ_p (bb) ? single_succ_edge (bb)->goto_locus
                                                        : UNKNOWN_LOCATION);
}

/* The last of the notes and markers behind INSN, or INSN.  A debugger that stops at the beginning
   of a statement then stops before the inserted code. */
static rtx_insn *
behind_marks (rtx_insn *insn)
{
  while (insn != BB_END (BLOCK_FOR_INSN (insn))
         && (NOTE_P (NEXT_INSN (insn)) || DEBUG_INSN_P (NEXT_INSN (insn))))
    insn = NEXT_INSN (insn);
  return insn;
}

/* The block that only the entry leads to. */
static basic_block
entry_block (function *fn)
{
  edge e = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fn));
  return single_pred_p (e->dest) ? e->dest : split_edge (e);
}

/* The note behind the prologue of FN, if the prologue sets up a frame pointer, lies in the first
   block and has nothing else before it.  A debugger recognises such a function by its first
   instructions and stops behind them; inserted code there would make it show wrong arguments. */
rtx_insn *
bbp_frame_end (function *fn)
{
  edge e = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fn));
  if (!frame_pointer_needed || !single_pred_p (e->dest))
    return NULL;
  rtx_insn *insn;
  FOR_BB_INSNS (e->dest, insn)
  if (NOTE_P (insn) && NOTE_KIND (insn) == NOTE_INSN_PROLOGUE_END)
    return insn;
  else if (NONDEBUG_INSN_P (insn) && (CALL_P (insn) || !prologue_contains (insn)))
    return NULL;
  return NULL;
}

rtx_insn *
bbp_hook_place (function *fn, bool before)
{
  if (!before)
    for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
      if (NOTE_P (insn) && NOTE_KIND (insn) == NOTE_INSN_PROLOGUE_END)
        return insn;
  return behind_marks (bb_note (entry_block (fn)));
}

rtx_insn *
bbp_block_start (basic_block bb, rtx_insn *hook)
{
  if (hook && BLOCK_FOR_INSN (hook) == bb)
    return hook;
  rtx_insn *frame = hook ? NULL : bbp_frame_end (cfun);
  return behind_marks (frame && BLOCK_FOR_INSN (frame) == bb ? frame : bb_note (bb));
}

/* Describes the place POINT to the macro set.  Sets STACK if values are parked on the stack. */
static void
fill_site (struct bbp_site *site, const struct bbp_point *point, bool *stack)
{
  bbp_unit_fill_site (site);
  site->flags_live = point->flags_live;
  site->frame_by_stack = site->cfi && !frame_pointer_needed;
  site->red_zone = bbp_target_uses_red_zone (cfun);
  site->cold = BB_PARTITION (BLOCK_FOR_INSN (point->after)) == BB_COLD_PARTITION;
  *stack = false;
  for (int i = 0; i < point->nregs; i++)
    {
      site->scratch[i] = reg_names[point->scratch[i]];
      if (point->keep[i] == BBP_KEEP_VECTOR)
        site->keep[i] = bbp_target_vector_name (point->vector[i]);
      else if (point->keep[i] == BBP_KEEP_STACK)
        {
          site->keep[i] = bbp_target_slot (i);
          *stack = true;
        }
    }
}

static struct bbp_effects
effects_at (const struct bbp_point *point)
{
  struct bbp_effects effects = {};
  if (!point->flags_live)
    bbp_clobber_flags (&effects);
  for (int i = 0; i < point->nregs; i++)
    if (point->keep[i] == BBP_KEEP_NOTHING)
      bbp_clobber (&effects, word_mode, point->scratch[i]);
    else if (point->keep[i] == BBP_KEEP_VECTOR)
      bbp_clobber (&effects, word_mode, point->vector[i]);
  return effects;
}

static void
write_text (bbp_writer *write, const void *what, const struct bbp_site *site)
{
  FILE *file = bbp_text_begin ();
  fputs (bbp_target_syntax_begin (), file);
  write (file, what, site);
  fputs (bbp_target_syntax_end (), file);
}

rtx_insn *
bbp_emit_stack_move (HOST_WIDE_INT offset, rtx_insn *after, location_t location)
{
  rtx_insn *insn
      = emit_insn_after_noloc (bbp_target_move_stack (offset), after, BLOCK_FOR_INSN (after));
  INSN_LOCATION (insn) = location;
  RTX_FRAME_RELATED_P (insn) = 1;
  return insn;
}

struct bbp_need
bbp_counter_need (void)
{
  const struct bbp_macros *macros = bbp_unit_state.macros;
  struct bbp_need need;
  struct bbp_site site = {};
  bbp_unit_fill_site (&site);
  for (int flags_live = 0; flags_live < 2; flags_live++)
    {
      site.flags_live = flags_live;
      need.registers[flags_live] = macros->block_registers (&site);
    }
  need.flags_register = decode_reg_name (macros->flags_register);
  need.here = false;
  need.pointer = macros->takes_pointer && macros->takes_pointer (&site);
  return need;
}

static void
dump_place (rtx_insn *start, const struct bbp_point *point)
{
  static const char *const keeps[]
      = { "free", "parked in a vector register", "parked on the stack" };
  fprintf (dump_file, "basic block %d:%s%s", BLOCK_FOR_INSN (start)->index,
           point->after == start ? " at the head" : " further down",
           point->flags_live ? ", flags live" : "");
  for (int i = 0; i < point->nregs; i++)
    fprintf (dump_file, ", %s %s", reg_names[point->scratch[i]], keeps[point->keep[i]]);
  putc ('\n', dump_file);
}

rtx_insn *
bbp_insert (rtx_insn *start, const struct bbp_need *need, location_t location, bbp_writer *write,
            const void *what)
{
  struct bbp_point point = bbp_liveness_find_point (BLOCK_FOR_INSN (start), start, need);
  if (dump_file)
    dump_place (start, &point);
  struct bbp_site site = {};
  bool stack;
  fill_site (&site, &point, &stack);
  HOST_WIDE_INT room = BBP_TARGET_RED_ZONE + ROUND_UP (point.nregs * UNITS_PER_WORD, 16);
  if (stack)
    point.after = bbp_emit_stack_move (-room, point.after, location);
  write_text (write, what, &site);
  struct bbp_effects effects = effects_at (&point);
  rtx_insn *insn = bbp_emit_text (&effects, point.after, location);
  return stack ? bbp_emit_stack_move (room, insn, location) : insn;
}

rtx_insn *
bbp_emit_by (bbp_writer *write, const void *what, rtx_insn *after, location_t location)
{
  struct bbp_effects nothing = {};
  struct bbp_site site = {};
  write_text (write, what, &site);
  return bbp_emit_text (&nothing, after, location);
}

rtx_insn *
bbp_insert_branch (rtx_insn *start, const struct bbp_need *need, basic_block target,
                   bbp_writer *write, const void *what)
{
  struct bbp_point point = bbp_liveness_find_point (BLOCK_FOR_INSN (start), start, need);
  struct bbp_site site = {};
  bool stack;
  fill_site (&site, &point, &stack);
  gcc_assert (point.after == start && !stack && !point.flags_live);
  write_text (write, what, &site);
  struct bbp_effects effects = effects_at (&point);
  return bbp_emit_branch (&effects, start, target);
}

static void
write_counter (FILE *file, const void *what, const struct bbp_site *site)
{
  const struct bbp_counter *counter = (const struct bbp_counter *) what;
  struct bbp_site place = *site;
  if (counter->pointer != INVALID_REGNUM)
    place.pointer = reg_names[counter->pointer];
  place.first_counter = counter->first;
  bbp_unit_state.macros->block_profiler (file, counter->number, &place);
}

rtx_insn *
bbp_insert_counter (const struct bbp_counter *counter, rtx_insn *start, const struct bbp_need *need,
                    location_t location)
{
  if (dump_file)
    fprintf (dump_file, "counter %d: ", counter->number);
  return bbp_insert (start, need, location, write_counter, counter);
}

void
bbp_insert_pointer (int first, unsigned pointer, rtx_insn *after)
{
  struct bbp_site site = {};
  bbp_unit_fill_site (&site);
  site.pointer = reg_names[pointer];
  site.first_counter = first;
  struct bbp_effects effects = {};
  bbp_clobber (&effects, word_mode, pointer);
  FILE *file = bbp_text_begin ();
  fputs (bbp_target_syntax_begin (), file);
  bbp_unit_state.macros->counter_pointer (file, &site);
  fputs (bbp_target_syntax_end (), file);
  basic_block bb = BLOCK_FOR_INSN (after);
  if (dump_file)
    fprintf (dump_file, "basic block %d: %s points to the counters\n", bb->index, site.pointer);
  bbp_emit_text (&effects, after, bbp_block_location (bb, after));
}
