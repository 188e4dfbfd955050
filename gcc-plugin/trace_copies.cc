/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses which blocks of a function with trace points are copied for recording threads, and
   which ones test whether the thread records.

   Between calls and landing pads a thread cannot start or stop recording.  So after a test at the
   end of one block the next block needs no test, if recording threads were sent to a copy of it.
   A block is *unsure* if a recording thread can come there: one with a call, one that is too long
   for a copy, and their successors, unless they test.  Only unsure blocks test. */
#include "gcc-plugin/emit.h"
#include "gcc-plugin/graph.h"
#include "gcc-plugin/trace.h"

/* Most instructions, besides the jump, that are copied: of the end of a block that tests; of a
   whole block, so that all of the copy is near its marker. */
enum { MOST_OF_END = 3, MOST_OF_BLOCK = 10 };

/* May INSN be copied as it is? */
static bool
may_be_copied (rtx_insn *insn)
{
  return NONJUMP_INSN_P (insn) && asm_noperands (PATTERN (insn)) < 0
         && !volatile_insn_p (PATTERN (insn)) && !RTX_FRAME_RELATED_P (insn)
         && !prologue_contains (insn) && !epilogue_contains (insn)
         && !find_reg_note (insn, REG_EH_REGION, NULL_RTX);
}

/* Does BLOCK end with a two-way jump that can be copied? */
static bool
ends_with_branch (const struct bbp_graph_block *block)
{
  rtx_insn *jump = BB_END (block->bb);
  return block->nedges == 2 && EDGE_COUNT (block->bb->succs) == 2 && JUMP_P (jump)
         && any_condjump_p (jump) && onlyjump_p (jump);
}

/* The insn in BLOCK behind which its end can be copied, with a test before it; or null. */
static rtx_insn *
start_of_end (const struct bbp_graph_block *block, const struct bbp_need *need)
{
  if (block->out || !ends_with_branch (block))
    return NULL;
  int copies = 0;
  for (rtx_insn *insn = PREV_INSN (BB_END (block->bb)); !LABEL_P (insn); insn = PREV_INSN (insn))
    {
      if (bbp_liveness_is_easy (insn, need))
        return insn;
      if (NOTE_INSN_BASIC_BLOCK_P (insn)
          || (NONDEBUG_INSN_P (insn) && (!may_be_copied (insn) || copies++ == MOST_OF_END)))
        break;
    }
  return NULL;
}

/* Can BLOCK's only edge be written anew? */
static bool
ends_with_one_way (const struct bbp_graph_block *block)
{
  rtx_insn *end = BB_END (block->bb);
  return block->nedges == 1 && single_succ_p (block->bb) && (!JUMP_P (end) || simplejump_p (end));
}

/* Can BLOCK be copied whole? */
static bool
is_copyable (const struct bbp_graph_block *block)
{
  if (block->in || block->out || block->ncalls || block->source
      || !(ends_with_branch (block) || ends_with_one_way (block)))
    return false;
  int n = 0;
  rtx_insn *insn;
  FOR_BB_INSNS (block->bb, insn)
  if (NONDEBUG_INSN_P (insn) && !JUMP_P (insn) && (!may_be_copied (insn) || n++ == MOST_OF_BLOCK))
    return false;
  return true;
}

/* Do recording threads leave BLOCK for a copy? */
static bool
sends_aside (const struct bbp_graph_block *block)
{
  return block->copied || (block->unsure && block->test);
}

/* Marks the successors of the blocks in LEFT as unsure. */
static void
spread_unsure (struct bbp_graph *graph, auto_vec<int> &left)
{
  while (!left.is_empty ())
    {
      const struct bbp_graph_block *from = &graph->blocks[left.pop ()];
      for (int i = 0; i < from->nedges && !from->test; i++)
        {
          int to = graph->edges[from->first_edge + i].target;
          if (!graph->blocks[to].unsure)
            {
              graph->blocks[to].unsure = true;
              left.safe_push (to);
            }
        }
    }
}

/* Copies the blocks that recording threads reach behind the blocks of LEFT. */
static void
spread_copies (struct bbp_graph *graph, auto_vec<int> &left, const auto_vec<char> &copyable)
{
  while (!left.is_empty ())
    {
      const struct bbp_graph_block *from = &graph->blocks[left.pop ()];
      for (int i = 0; i < from->nedges; i++)
        {
          int to = graph->edges[from->first_edge + i].target;
          if (copyable[to] && !graph->blocks[to].copied)
            {
              graph->blocks[to].copied = true;
              left.safe_push (to);
            }
        }
    }
}

void
bbp_copies_choose (struct bbp_graph *graph, const struct bbp_need *need)
{
  auto_vec<char> copyable;
  auto_vec<int> left;
  for (unsigned i = 0; i < graph->blocks.length (); i++)
    {
      struct bbp_graph_block *block = &graph->blocks[i];
      block->test = start_of_end (block, need);
      copyable.safe_push (is_copyable (block));
      block->unsure = !copyable[i];
      if (block->unsure)
        left.safe_push (i);
    }
  spread_unsure (graph, left);
  for (unsigned i = 0; i < graph->blocks.length (); i++)
    if (sends_aside (&graph->blocks[i]))
      left.safe_push (i);
  spread_copies (graph, left, copyable);
}

basic_block
bbp_copy_end (basic_block bb, rtx_insn *start)
{
  basic_block copy = bbp_new_block (bbp_last_of_part (bb), bb);
  for (rtx_insn *insn = start; insn != BB_END (bb);)
    {
      insn = NEXT_INSN (insn);
      if ((NONDEBUG_INSN_P (insn) || (DEBUG_INSN_P (insn) && DEBUG_BIND_INSN_P (insn)))
          && !simplejump_p (insn))
        emit_copy_of_insn_after (insn, BB_END (copy));
    }
  return copy;
}
