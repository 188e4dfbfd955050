/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a place for a trace point, or for the counter of an edge that is neither its source's nor
   its target's only one.  Where control falls through, the place is on the way; else it is in a
   new block at the end of the section, which jumps back, so that other paths make no detour. */
#include "gcc-plugin/emit.h"

basic_block
bbp_last_of_part (basic_block bb)
{
  while (bb->next_bb != EXIT_BLOCK_PTR_FOR_FN (cfun)
         && BB_PARTITION (bb->next_bb) == BB_PARTITION (bb))
    bb = bb->next_bb;
  return bb;
}

static bool
is_table_label (const rtx_insn *insn)
{
  return LABEL_P (insn) && NEXT_INSN (insn) && JUMP_TABLE_DATA_P (NEXT_INSN (insn));
}

/* The last insn that belongs to BB, which does not fall through: a barrier, or a jump table. */
static rtx_insn *
last_insn_of (basic_block bb)
{
  rtx_insn *last = BB_END (bb);
  for (rtx_insn *insn = NEXT_INSN (last); insn; insn = NEXT_INSN (insn))
    if (BARRIER_P (insn) || is_table_label (insn) || JUMP_TABLE_DATA_P (insn))
      last = insn;
    else
      break;
  return last;
}

/* Without a barrier between them, the new label has become a part of LAST. */
basic_block
bbp_new_block (basic_block last, basic_block like)
{
  rtx_insn *end = BB_END (last);
  rtx_insn *head = emit_label_after (gen_label_rtx (), last_insn_of (last));
  BB_END (last) = end;
  basic_block bb = create_basic_block (head, head, last);
  BB_COPY_PARTITION (bb, like);
  return bb;
}

void
bbp_end_with_jump (basic_block bb, basic_block target)
{
  bool crosses = BB_PARTITION (bb) != BB_PARTITION (target);
  rtx_code_label *label = block_label (target);
  rtx_jump_insn *jump = emit_jump_insn_after_noloc (targetm.gen_jump (label), BB_END (bb));
  JUMP_LABEL (jump) = label;
  LABEL_NUSES (label)++;
  CROSSING_JUMP_P (jump) = crosses;
  emit_barrier_after (jump);
  make_single_succ_edge (bb, target, crosses ? EDGE_CROSSING : 0);
}

/* A new block for the branch E. */
static basic_block
split_branch (edge e)
{
  basic_block target = e->dest;
  basic_block bb = bbp_new_block (bbp_last_of_part (target), target);
  bb->count = e->count ();
  bbp_end_with_jump (bb, target);
  edge redirected = redirect_edge_and_branch (e, bb);
  gcc_assert (redirected);
  return bb;
}

/* The line of E: that of the jump, unless the compiler has a better one. */
static location_t
location_of (edge e)
{
  const rtx_insn *jump = BB_END (e->src);
  if (e->goto_locus != UNKNOWN_LOCATION || !INSN_P (jump))
    return e->goto_locus;
  return INSN_LOCATION (jump);
}

rtx_insn *
bbp_split_edge (edge e, bool only_one)
{
  if (only_one)
    return JUMP_P (BB_END (e->src)) ? PREV_INSN (BB_END (e->src)) : BB_END (e->src);
  location_t location = location_of (e);
  basic_block bb = e->flags & EDGE_FALLTHRU ? split_edge (e) : split_branch (e);
  single_succ_edge (bb)->goto_locus = location;
  return bb_note (bb);
}
