/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A user's own macro set (-fplugin-arg-bbprof-macros=FILE), texts or functions that write them,
   in place of the built-in one.  A function gets, in the order of the resulting code:

   - FUNCTION_BLOCK_PROFILER at the entry, before the prologue: if the compiler has moved the
     prologue to where it is needed, no place behind it is on all paths;
   - with -pg FUNCTION_PROFILER, behind that or behind the prologue;
   - at the head of every block, in the order of the code, a label .LPB<n>, and BLOCK_PROFILER;
   - before every return and tail call FUNCTION_BLOCK_PROFILER_EXIT.

   The user's text is used byte by byte.  Each register that it changes is declared to the
   compiler; where one of them is in use, MACHINE_STATE_SAVE and MACHINE_STATE_RESTORE are put
   around the text. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/emit.h"
#include "gcc-plugin/historic.h"
#include "gcc-plugin/macros/object.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/target/cpu.h"

static struct bbp_template_set set;

/* The registers that a text changes, by number. */
static HARD_REG_SET changed[BBP_TEMPLATE_MACROS];

/* Numbers for @id@ and @exitno@. */
static int last_state, last_exit;

static bool
has (enum bbp_template_macro macro)
{
  return set.macros[macro] != NULL;
}

/* LINE of the user's file, for users; 0: no particular line. */
static const char *
where (int line)
{
  return line ? xasprintf ("%s:%d", set.file, line) : set.file;
}

/* Notes the registers that MACRO changes.  False, with an error, if it must not change one of
   them. */
static bool
note_clobbers (enum bbp_template_macro macro)
{
  const struct bbp_template *template_ = set.macros[macro];
  CLEAR_HARD_REG_SET (changed[macro]);
  if (!template_)
    return true;
  for (const char *const *name = template_->clobbers; *name; name++)
    {
      int regno = strcmp (*name, "cc") ? decode_reg_name (*name) : (int) targetm.flags_regnum;
      if (regno == -4) /* memory: its content is not relied upon */
        continue;
      if (regno < 0
          || (regno != (int) targetm.flags_regnum
              && (fixed_regs[regno] || !default_function_abi.clobbers_full_reg_p (regno))))
        {
          error ("bbprof: %s: %s cannot change %qs: %s", where (template_->line),
                 bbp_template_name (&set, macro), *name,
                 regno < 0 ? "there is no such register" : "no function may");
          return false;
        }
      SET_HARD_REG_BIT (changed[macro], regno);
    }
  return true;
}

static bool
report_error (const struct bbp_template_error *why)
{
  error ("bbprof: %s: %s", where (why->line), why->text);
  return false;
}

/* Chooses the texts for the code that is being compiled.  False, with an error, if there are
   none. */
static bool
choose (void)
{
  struct bbp_template_error why;
  struct bbp_code code = { bbp_unit_state.profile_block_flag, flag_pic, flag_pie, optimize,
                           bbp_target_pointer_bits () };
  if (!bbp_template_choose (&set, &code, &why))
    return report_error (&why);
  if ((bbp_options.a || bbp_options.ax != BBP_AX_NONE) && !has (BBP_BLOCK_PROFILER))
    {
      error ("bbprof: %s: no %qs, which %qs needs", set.file,
             bbp_template_name (&set, BBP_BLOCK_PROFILER), bbp_options.a ? "a" : "ax=calls");
      return false;
    }
  for (int macro = 0; macro < BBP_TEMPLATE_MACROS; macro++)
    if (!note_clobbers ((enum bbp_template_macro) macro))
      return false;
  return true;
}

bool
bbp_template_start (const char *file)
{
  struct bbp_template_error why;
  return ((bbp_object_is_named (file) ? bbp_object_read : bbp_template_read) (&set, file, &why)
          || report_error (&why))
         && choose ();
}

bool
bbp_template_before_prologue (void)
{
  return set.profile_before_prologue || !has (BBP_FUNCTION_PROFILER);
}

/* Is anything that MACRO changes in use behind AFTER? */
static bool
is_live (enum bbp_template_macro macro, rtx_insn *after)
{
  auto_bitmap live;
  bbp_liveness_behind (after, live);
  hard_reg_set_iterator i;
  unsigned regno;
  EXECUTE_IF_SET_IN_HARD_REG_SET (changed[macro], 0, regno, i)
  if (bitmap_bit_p (live, regno))
    return true;
  return false;
}

/* The effects of MACRO for the compiler: none if its text is between the two that save and
   restore. */
static struct bbp_effects
effects_of (enum bbp_template_macro macro, bool saved)
{
  struct bbp_effects effects = {};
  hard_reg_set_iterator i;
  unsigned regno;
  if (saved)
    return effects;
  EXECUTE_IF_SET_IN_HARD_REG_SET (changed[macro], 0, regno, i)
  if (regno == targetm.flags_regnum)
    bbp_clobber_flags (&effects);
  else
    bbp_clobber (&effects, reg_raw_mode[regno], regno);
  return effects;
}

/* For an object that writes nothing for this code; printed once. */
static void
report_empty (enum bbp_template_macro macro)
{
  static bool said;
  if (!said)
    error_at (DECL_SOURCE_LOCATION (cfun->decl),
              "bbprof: %s: %s writes nothing in %qD, with %<profile_block_flag%> %d, %<flag_pic%> "
              "%d, %<flag_pie%> %d and "
              "%<optimize%> %d; if that is intended, make it write a comment",
              set.file, bbp_template_name (&set, macro), cfun->decl, set.code.profile_block_flag,
              set.code.pic, set.code.pie, set.code.level);
  said = true;
}

/* In new memory. */
static char *
text_of (enum bbp_template_macro macro, int number)
{
  char *text = bbp_template_text (&set, macro, number);
  if (!text)
    fatal_error (UNKNOWN_LOCATION, "bbprof: out of memory for assembler text");
  if (!*text && set.write)
    report_empty (macro);
  return text;
}

/* Writes the text of MACRO and, if SAVED, the texts around it that save and restore.  The
   compiler writes a tab before the first one, so asm.cc leaves out a tab at its start; a text
   without one begins on the next line. */
static void
write_text (FILE *file, enum bbp_template_macro macro, int number, bool saved)
{
  char *before = saved ? text_of (BBP_MACHINE_STATE_SAVE, last_state) : xstrdup ("");
  char *text = text_of (macro, number);
  char *behind = saved ? text_of (BBP_MACHINE_STATE_RESTORE, last_state++) : xstrdup ("");
  if (*(saved ? before : text) != '\t')
    putc ('\n', file);
  fprintf (file, "%s%s%s%s%s", bbp_target_syntax_begin (), before, text, behind,
           bbp_target_syntax_end ());
  free (before);
  free (text);
  free (behind);
}

/* Printed once. */
static void
report_unsaved (enum bbp_template_macro macro)
{
  static bool said;
  if (!said)
    error_at (
        DECL_SOURCE_LOCATION (cfun->decl),
        "bbprof: %s: %s changes a register or the flags while %qD uses them; define %qs and %qs",
        where (set.macros[macro]->line), bbp_template_name (&set, macro), cfun->decl,
        bbp_template_name (&set, BBP_MACHINE_STATE_SAVE),
        bbp_template_name (&set, BBP_MACHINE_STATE_RESTORE));
  said = true;
}

/* Puts the text of MACRO behind AFTER; returns the new insn. */
static rtx_insn *
insert_text (enum bbp_template_macro macro, int number, rtx_insn *after, location_t location)
{
  bool saved = is_live (macro, after);
  if (saved && !has (BBP_MACHINE_STATE_SAVE))
    {
      report_unsaved (macro);
      return after;
    }
  write_text (bbp_text_begin (), macro, number, saved);
  struct bbp_effects effects = effects_of (macro, saved);
  return bbp_emit_text (&effects, after, location);
}

/* The macros of the entry.  Returns the last insn of those in the first block, or null. */
static rtx_insn *
insert_hooks (function *fn, struct bbp_plan plan)
{
  rtx_insn *unit_place = plan.blocks && plan.hooks ? bbp_hook_place (fn, true) : NULL;
  rtx_insn *call_place = plan.call_mcount ? bbp_hook_place (fn, bbp_unit_state.before) : NULL;
  df_analyze ();
  rtx_insn *unit = NULL, *call = NULL;
  if (call_place)
    call = insert_text (BBP_FUNCTION_PROFILER, current_function_funcdef_no, call_place,
                        UNKNOWN_LOCATION);
  if (unit_place)
    unit = insert_text (BBP_FUNCTION_BLOCK_PROFILER, bbp_unit_state.nblocks, unit_place,
                        UNKNOWN_LOCATION);
  return !call || (unit && BLOCK_FOR_INSN (unit) != BLOCK_FOR_INSN (call)) ? unit : call;
}

static void
instrument_block (function *fn, basic_block bb, rtx_insn *start, const char *name, bool exits)
{
  rtx_insn *label = bbp_historic_add_block (fn, bb, start, name);
  insert_text (BBP_BLOCK_PROFILER, bbp_unit_state.nblocks - 1, label, INSN_LOCATION (label));
  rtx_insn *place = exits ? bbp_exit_place (bb) : NULL;
  if (place)
    insert_text (BBP_FUNCTION_BLOCK_PROFILER_EXIT, last_exit++, place,
                 INSN_LOCATION (NEXT_INSN (place)));
}

void
bbp_template_instrument (function *fn, struct bbp_plan plan)
{
  /* An attribute of FN may change the level, or a unit of LTO has several. */
  if (optimize != set.code.level && !choose ())
    return;
  plan.blocks = plan.blocks && has (BBP_BLOCK_PROFILER);
  plan.call_mcount = plan.call_mcount && has (BBP_FUNCTION_PROFILER);
  rtx_insn *hook = insert_hooks (fn, plan);
  if (plan.call_mcount && !set.no_profile_counters)
    bbp_historic_add_counter (current_function_funcdef_no);
  if (!plan.blocks)
    return;
  const char *name = xstrdup (lang_hooks.decl_printable_name (fn->decl, 2));
  bool exits = plan.hooks && has (BBP_FUNCTION_BLOCK_PROFILER_EXIT);
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
  instrument_block (fn, bb, bbp_block_start (bb, hook), name, exits);
}
