/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pointer by which a block reaches its counter is the same in the whole function, so most blocks need not fetch it
   again.  One register is chosen for the function; where it is free at a block's head, the block's counter uses it,
   and it *holds* the pointer from there until something else is put into it.  A block finds it held if all its
   predecessors leave it so.  That needs no iteration: what a block leaves does not depend on what it found, because
   it either found the pointer or fetched it.

   So in a loop without calls the pointer is fetched once, before.  A call ends the holding (the register is one that
   calls change), and so does an edge that leaves a block half-way: to a landing pad or a receiver of longjmp. */
#include "bbprof-plugin.h"

/* About one block. */
struct facts {
  HARD_REG_SET holders; /* may hold the pointer from the counter on, which is then at the head */
  HARD_REG_SET killed;  /* changed behind the head */
};

static void
note_killed (basic_block bb, rtx_insn *start, HARD_REG_SET *killed)
{
  CLEAR_HARD_REG_SET (*killed);
  for (rtx_insn *insn = start; insn != NEXT_INSN (BB_END (bb)); insn = NEXT_INSN (insn))
    {
      if (insn == start || !NONDEBUG_INSN_P (insn))
        continue;
      if (CALL_P (insn))
        {
          *killed = reg_class_contents[ALL_REGS];
          return;
        }
      df_ref def;
      FOR_EACH_INSN_DEF (def, insn)
        if (DF_REF_REGNO (def) < FIRST_PSEUDO_REGISTER)
          SET_HARD_REG_BIT (*killed, DF_REF_REGNO (def));
    }
}

/* Control passes E with all registers as the source's last insn left them. */
static bool
keeps_registers (edge e)
{
  if (e->src == ENTRY_BLOCK_PTR_FOR_FN (cfun))
    return false;
  return !(e->flags & EDGE_COMPLEX) || (!(e->flags & EDGE_EH) && computed_jump_p (BB_END (e->src)));
}

static bool
finds_held (basic_block bb, unsigned regno, const struct facts *facts)
{
  if (!TEST_HARD_REG_BIT (facts[bb->index].holders, regno))
    return false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (!keeps_registers (e) || !TEST_HARD_REG_BIT (facts[e->src->index].holders, regno)
        || TEST_HARD_REG_BIT (facts[e->src->index].killed, regno))
      return false;
  return true;
}

/* How often a fetch is saved if REGNO is the register. */
static double
worth (function *fn, unsigned regno, const struct facts *facts)
{
  double sum = 0;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    if (finds_held (bb, regno, facts))
      sum += 1 + bb->count.to_frequency (fn);
  return sum;
}

unsigned
bbp_hold_choose (function *fn, rtx_insn *hook, basic_block uncounted, const struct bbp_need *need, bitmap held)
{
  auto_vec<struct facts> facts;
  facts.safe_grow_cleared (last_basic_block_for_fn (fn));
  HARD_REG_SET candidates;
  CLEAR_HARD_REG_SET (candidates);
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    {
      if (bb == uncounted)
        continue;
      rtx_insn *start = bbp_block_start (bb, hook);
      facts[bb->index].holders = bbp_liveness_holders (bb, start, need);
      note_killed (bb, start, &facts[bb->index].killed);
      candidates |= facts[bb->index].holders;
    }
  unsigned best = INVALID_REGNUM;
  double most = 0;
  for (unsigned regno = 0; regno < FIRST_PSEUDO_REGISTER; regno++)
    if (TEST_HARD_REG_BIT (candidates, regno))
      {
        double sum = worth (fn, regno, facts.address ());
        if (sum > most)
          best = regno, most = sum;
      }
  if (best != INVALID_REGNUM)
    FOR_EACH_BB_FN (bb, fn)
      if (finds_held (bb, best, facts.address ()))
        bitmap_set_bit (held, bb->index);
  return best;
}
