/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls as part of the control flow.

   Any call may never return: exit, longjmp, a throw, a thread that waits in it when the process
   ends; even memcpy, if the process dies of a fault in it.  So the count behind a call cannot be
   derived from the count before it.  The callee of a direct call is in the machine code.  The
   callee of an indirect call is passed to the run-time library before the call. */
#include "gcc-plugin/emit.h"
#include "gcc-plugin/graph.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/target/cpu.h"

/* The callee of INSN as an address: a SYMBOL_REF if it is known. */
static rtx
callee_address (rtx_insn *insn)
{
  rtx call = get_call_rtx_from (insn);
  return call && MEM_P (XEXP (call, 0)) ? XEXP (XEXP (call, 0), 0) : NULL_RTX;
}

/* Calls that the compiler adds: __tls_get_addr (its name is only a part of the address in the large
   model); in a prologue __morestack (-fsplit-stack), which returns behind the insn that follows. */
static bool
is_of_compiler (rtx_insn *insn, rtx address)
{
  if (prologue_contains (insn))
    return true;
  subrtx_iterator::array_type array;
  if (RTL_CONST_CALL_P (insn))
    FOR_EACH_SUBRTX (iter, array, address, ALL)
  if (SYMBOL_REF_P (*iter) && !SYMBOL_REF_DECL (*iter))
    return true;
  return false;
}

/* An asm of the program that may not return: a system call, a jump. */
static bool
is_leaving_asm (rtx_insn *insn)
{
  rtx pattern = PATTERN (insn);
  if (asm_noperands (pattern) < 0)
    return false;
  rtx body = extract_asm_operands (pattern);
  const char *text = body ? ASM_OPERANDS_TEMPLATE (body)
                          : decode_asm_operands (pattern, NULL, NULL, NULL, NULL, NULL);
  for (const char *const *word = bbp_target_leaving_words; *word; word++)
    if (strstr (text, *word))
      return true;
  return false;
}

/* A name, or a slot that the linker fills in (-fno-plt); not a variable of the program, even at a
   constant address. */
static bool
is_direct (rtx address)
{
  if (!address || CONSTANT_P (address))
    return true;
  rtx slot = MEM_P (address) ? XEXP (address, 0) : NULL_RTX;
  return slot && GET_CODE (slot) == CONST && GET_CODE (XEXP (slot, 0)) == UNSPEC;
}

bool
bbp_call_find (rtx_insn *insn, struct bbp_call_site *call)
{
  *call = (struct bbp_call_site) {};
  call->insn = insn;
  if (NONJUMP_INSN_P (insn))
    return is_leaving_asm (insn);
  if (!CALL_P (insn))
    return false;
  rtx address = callee_address (insn);
  call->tail = SIBLING_CALL_P (insn);
  call->direct = is_direct (address);
  return !address || !is_of_compiler (insn, address);
}

/* Makes CALL use register REG instead of its operand. */
static void
call_by_register (rtx_insn *insn, rtx reg)
{
  rtx pattern = PATTERN (insn);
  /* Added by a peephole that put a memory operand into a tail call. */
  if (GET_CODE (pattern) == PARALLEL
      && GET_CODE (XVECEXP (pattern, 0, XVECLEN (pattern, 0) - 1)) == UNSPEC)
    PATTERN (insn) = XVECEXP (pattern, 0, 0);
  XEXP (XEXP (get_call_rtx_from (insn), 0), 0) = reg;
  INSN_CODE (insn) = -1;
  df_insn_rescan (insn);
}

/* Is BB executed in every second call of its function, or more often?  Counting in line makes a
   call 35 bytes longer. */
static bool
is_worth_code (basic_block bb)
{
  profile_count entry = ENTRY_BLOCK_PTR_FOR_FN (cfun)->count;
  if (!optimize_bb_for_speed_p (bb))
    return false;
  return !bb->count.initialized_p () || !entry.initialized_p ()
         || bb->count.to_gcov_type () >= entry.to_gcov_type () / 2;
}

/* Has the call behind AFTER count in line, if it can. */
static void
count_in_line (struct bbp_site *site, struct bbp_effects *effects, rtx_insn *after)
{
  const struct bbp_macros *macros = bbp_unit_state.macros;
  site->call_site = -1;
  if (!macros->calls_in_line || !macros->calls_in_line (site)
      || !is_worth_code (BLOCK_FOR_INSN (after)))
    return;
  for (const char *const *name = macros->call_scratch; *name; name++)
    if (!bbp_liveness_is_free (after, decode_reg_name (*name)))
      return;
  for (const char *const *name = macros->call_scratch; *name; name++)
    bbp_clobber (effects, word_mode, decode_reg_name (*name));
  site->call_site = bbp_unit_state.ncall_sites++;
}

/* Passes the callee of the indirect CALL to the run-time library, in a register that holds no
   argument. A pointer in memory is read only once, so the counted function is the called one. */
void
bbp_call_insert_hook (const struct bbp_call_site *call)
{
  const struct bbp_macros *macros = bbp_unit_state.macros;
  rtx address = callee_address (call->insn);
  location_t location = INSN_LOCATION (call->insn);
  struct bbp_site site = {};
  bbp_unit_fill_site (&site);
  site.frame_by_stack = site.cfi && (!frame_pointer_needed || call->tail);
  site.link_live = call->tail;
  struct bbp_effects effects = {};
  bbp_clobber_flags (&effects);
  rtx target = gen_rtx_REG (word_mode, decode_reg_name (macros->call_target));
  if (!REG_P (address) || REGNO (address) != REGNO (target))
    {
      rtx_insn *move = emit_insn_after_noloc (gen_rtx_SET (target, address), PREV_INSN (call->insn),
                                              BLOCK_FOR_INSN (call->insn));
      INSN_LOCATION (move) = location;
      call_by_register (call->insn, target);
    }
  count_in_line (&site, &effects, PREV_INSN (call->insn));
  FILE *file = bbp_text_begin ();
  fputs (bbp_target_syntax_begin (), file);
  macros->call_profiler (file, &site);
  fputs (bbp_target_syntax_end (), file);
  bbp_emit_text (&effects, PREV_INSN (call->insn), location);
}
