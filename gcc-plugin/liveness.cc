/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses where behind a given insn a counter goes, and its registers.  Called once per counter,
   with the data flow of the finished function; changes nothing.  Most counters need only dead
   flags and no register, so they get the first place at once.

   Places, in the order of preference:
   1. at the given insn ("at the head"), with registers that are free there;
   2. at the first point further down where enough registers are free, if nothing before it can
      leave the block or be observed: no call, jump, trap or volatile asm.  So control that has
      passed the head is always counted;
   3. at the head, with registers after their values were parked in free vector registers;
   4. at the head, with registers after their values were parked on the stack.

   A register is free if a call may change it and its value is not read any more.  Registers that
   a landing pad or a receiver of longjmp gets without an instruction are not free.  The data flow
   knows these as artificial definitions at the top of the block, and the walk below stops before
   them. */
#include "gcc-plugin/emit.h"
#include "gcc-plugin/target/cpu.h"

/* Registers with a special meaning, by the ABI or by the user's options. */
static bool
reserved (unsigned regno)
{
  return fixed_regs[regno] || global_regs[regno] || regno == STACK_POINTER_REGNUM
         || regno == HARD_FRAME_POINTER_REGNUM;
}

static bool
is_general (unsigned regno)
{
  return TEST_HARD_REG_BIT (reg_class_contents[GENERAL_REGS], regno) && !reserved (regno);
}

static bool
is_free (unsigned regno, const_bitmap live)
{
  return crtl->abi->clobbers_full_reg_p (regno) && !bitmap_bit_p (const_cast<bitmap> (live), regno);
}

static bool
has_scratch (const struct bbp_point *point, unsigned regno)
{
  for (int i = 0; i < point->nregs; i++)
    if (point->scratch[i] == regno)
      return true;
  return false;
}

/* Adds REGNO to POINT if it is free and not there yet; the target may name a register twice. */
static void
take_if_free (struct bbp_point *point, unsigned regno, const_bitmap live)
{
  if (is_general (regno) && is_free (regno, live) && !has_scratch (point, regno))
    {
      point->keep[point->nregs] = BBP_KEEP_NOTHING;
      point->scratch[point->nregs++] = regno;
    }
}

/* Does POINT lack the register that must hold the flags? */
static bool
lacks_flags_register (const struct bbp_point *point, const struct bbp_need *need)
{
  return point->flags_live && point->nregs == 0 && need->registers[1] > 0
         && need->flags_register != INVALID_REGNUM;
}

/* Sets POINT to the place behind AFTER, where LIVE is live.  True: enough registers are free. */
static bool
fill_point (struct bbp_point *point, rtx_insn *after, const_bitmap live,
            const struct bbp_need *need)
{
  unsigned flags = targetm.flags_regnum;
  point->after = after;
  point->flags_live = flags != INVALID_REGNUM && bitmap_bit_p (const_cast<bitmap> (live), flags);
  point->nregs = 0;
  int n = need->registers[point->flags_live];
  if (lacks_flags_register (point, need))
    take_if_free (point, need->flags_register, live);
  if (lacks_flags_register (point, need))
    return false;
  for (int i = 0; i < FIRST_PSEUDO_REGISTER && point->nregs < n; i++)
    take_if_free (point, bbp_target_register (i), live);
  return point->nregs == n;
}

/* A general register that POINT does not use yet; one that calls change is preferred, because the
   CFI does not describe it. */
static unsigned
register_to_park (const struct bbp_point *point, const struct bbp_need *need)
{
  if (lacks_flags_register (point, need))
    return need->flags_register;
  for (int callee_saved = 0; callee_saved < 2; callee_saved++)
    for (int i = 0; i < FIRST_PSEUDO_REGISTER; i++)
      {
        unsigned regno = bbp_target_register (i);
        if (is_general (regno) && !has_scratch (point, regno)
            && (callee_saved || crtl->abi->clobbers_full_reg_p (regno)))
          return regno;
      }
  fatal_error (DECL_SOURCE_LOCATION (cfun->decl),
               "bbprof: all registers are fixed, but a counter needs one");
}

/* A free vector register above LAST, or INVALID_REGNUM. */
static unsigned
next_parking_place (unsigned last, const_bitmap live)
{
  for (unsigned regno = last == INVALID_REGNUM ? 0 : last + 1; regno < FIRST_PSEUDO_REGISTER;
       regno++)
    if (bbp_target_parking_place (regno) && !reserved (regno) && is_free (regno, live))
      return regno;
  return INVALID_REGNUM;
}

/* Gives POINT the registers that it lacks, and a place to park their values. */
static void
park_registers (struct bbp_point *point, const_bitmap live, const struct bbp_need *need)
{
  unsigned vector = INVALID_REGNUM;
  bool vectors_left = true;
  while (point->nregs < need->registers[point->flags_live])
    {
      unsigned regno = register_to_park (point, need);
      if (vectors_left)
        {
          vector = next_parking_place (vector, live);
          vectors_left = vector != INVALID_REGNUM;
        }
      point->keep[point->nregs] = vectors_left ? BBP_KEEP_VECTOR : BBP_KEEP_STACK;
      point->vector[point->nregs] = vector;
      point->scratch[point->nregs++] = regno;
    }
}

/* May the counter come after INSN instead of before it? */
static bool
may_be_passed (rtx_insn *insn)
{
  if (!NONDEBUG_INSN_P (insn))
    return true;
  return NONJUMP_INSN_P (insn) && !volatile_insn_p (PATTERN (insn))
         && !may_trap_or_fault_p (PATTERN (insn));
}

/* The last insn of BB, from START on, that the counter may follow. */
static rtx_insn *
last_passable (basic_block bb, rtx_insn *start)
{
  rtx_insn *last = start;
  while (last != BB_END (bb) && may_be_passed (NEXT_INSN (last)))
    last = NEXT_INSN (last);
  return last;
}

void
bbp_liveness_behind (rtx_insn *start, bitmap live)
{
  basic_block bb = BLOCK_FOR_INSN (start);
  bitmap_copy (live, DF_LR_OUT (bb));
  df_simulate_initialize_backwards (bb, live);
  for (rtx_insn *insn = BB_END (bb); insn != start; insn = PREV_INSN (insn))
    if (INSN_P (insn))
      df_simulate_one_insn_backwards (bb, insn, live);
}

bool
bbp_liveness_is_free (rtx_insn *after, unsigned regno)
{
  auto_bitmap live;
  bbp_liveness_behind (after, live);
  return is_general (regno) && is_free (regno, live);
}

bool
bbp_liveness_is_easy (rtx_insn *start, const struct bbp_need *need)
{
  struct bbp_point point;
  auto_bitmap live;
  bbp_liveness_behind (start, live);
  return fill_point (&point, start, live, need) && !point.flags_live;
}

/* The data flow knows that the value of a register that calls preserve is read by its caller, until
   the prologue has saved it. */
unsigned
bbp_liveness_unused (const_bitmap used, const struct bbp_need *need)
{
  for (unsigned regno : reg_alloc_order)
    if (is_general (regno) && !bitmap_bit_p (const_cast<bitmap> (used), regno)
        && (crtl->abi->clobbers_full_reg_p (regno) || df_regs_ever_live_p (regno))
        && regno != need->flags_register)
      return regno;
  return INVALID_REGNUM;
}

struct bbp_point
bbp_liveness_find_point (basic_block bb, rtx_insn *start, const struct bbp_need *need)
{
  struct bbp_point point, candidate;
  auto_bitmap live;
  bbp_liveness_behind (start, live);
  if (fill_point (&point, start, live, need))
    return point;

  /* Further down: the first possible place behind START; the walk goes backwards and finds it
     last. */
  bool found = false, reachable = false;
  rtx_insn *last = need->here ? start : last_passable (bb, start);
  auto_bitmap live_below;
  bitmap_copy (live_below, DF_LR_OUT (bb));
  df_simulate_initialize_backwards (bb, live_below);
  for (rtx_insn *insn = BB_END (bb); insn != start; insn = PREV_INSN (insn))
    {
      reachable |= insn == last;
      if (reachable && fill_point (&candidate, insn, live_below, need))
        {
          point = candidate;
          found = true;
        }
      if (INSN_P (insn))
        df_simulate_one_insn_backwards (bb, insn, live_below);
    }
  if (!found)
    park_registers (&point, live, need);
  return point;
}
