/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units with tables of the historic layout, one number for each block.  Used for users' macro
   sets (template.cc), -a (historic_a.cc) and ax=calls (trace_calls.cc). */
#include "gcc-plugin/emit.h"
#include "gcc-plugin/historic.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/target/cpu.h"

/* The contents of the tables. */
static auto_vec<struct bbp_historic_block> blocks;

static auto_vec<int> labelnos; /* of the variables .LP<n> */

void
bbp_historic_add_counter (int labelno)
{
  labelnos.safe_push (labelno);
}

/* The global symbol by which code outside can refer to the section of BB, as struct
   bbp_historic_block requires. */
static const char *
section_symbol (function *fn, basic_block bb)
{
  if (!DECL_COMDAT_GROUP (fn->decl))
    return NULL;
  if (!TREE_PUBLIC (fn->decl) || (crtl->has_bb_partition && BB_PARTITION (bb) == BB_COLD_PARTITION))
    return "";
  return targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fn->decl)));
}

/* The name of FILE for users.  Blocks of one file mostly follow each other. */
static const char *
shown_file (const char *file)
{
  static const char *last, *shown;
  if (file && file != last)
    {
      last = file;
      shown = xstrdup (remap_debug_filename (file));
    }
  return file ? shown : NULL;
}

/* NAME must stay valid. */
rtx_insn *
bbp_historic_add_block (function *fn, basic_block bb, rtx_insn *start, const char *name)
{
  location_t location = bbp_block_location (bb, start);
  expanded_location where = expand_location (location);
  struct bbp_historic_block block
      = { section_symbol (fn, bb), name, shown_file (where.file), where.line };
  blocks.safe_push (block);
  return bbp_emit_label ("LPB", bbp_unit_state.nblocks++, start, location);
}

/* A return, or a tail call, ends its block. */
rtx_insn *
bbp_exit_place (basic_block bb)
{
  rtx_insn *end = BB_END (bb);
  bool leaves = (JUMP_P (end) && returnjump_p (end)) || (CALL_P (end) && SIBLING_CALL_P (end));
  return leaves ? PREV_INSN (end) : NULL;
}

void
bbp_historic_finish (const char *filename)
{
  struct bbp_historic_unit unit
      = { bbp_target_pointer_bits () / 8,
          flag_pic != 0,
          filename,
          blocks.address (),
          (int) blocks.length (),
          !bbp_unit_state.templates && bbp_unit_state.profile_block_flag == 2 };
  fputs (bbp_target_syntax_begin (), asm_out_file);
  for (int labelno : labelnos)
    bbp_template_write_counter (asm_out_file, labelno, unit.word_bytes);
  if (unit.nblocks)
    bbp_write_historic_tables (asm_out_file, &unit);
  if (unit.nblocks && bbp_unit_state.macros && bbp_unit_state.profile_block_flag == 1)
    {
      struct bbp_unit all;
      bbp_unit_describe (&all, filename);
      bbp_unit_state.macros->entry_code (asm_out_file, &all);
    }
  fputs (bbp_target_syntax_end (), asm_out_file);
}
