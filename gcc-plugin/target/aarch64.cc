/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The aarch64 back end of GCC, as the plugin uses it (see cpu.h). */
#include "gcc-plugin/target/cpu.h"

const char *const bbp_target_leaving_words[]
    = { "svc", "hvc", "brk", "hlt", "udf", "b\t", "b ", "bl", "br", "ret", NULL };

int
bbp_target_pointer_bits (void)
{
  return POINTER_SIZE;
}

int
bbp_target_word_bits (void)
{
  return BITS_PER_WORD;
}

const char *
bbp_target_variant (void)
{
  return "-mabi=ilp32";
}

bool
bbp_target_large (void)
{
  return aarch64_cmodel == AARCH64_CMODEL_LARGE;
}

bool
bbp_target_adds_to_memory (void)
{
  return TARGET_LSE;
}

/* Always: GCC's own call of _mcount is no part of the prologue, so it could not be removed later;
   and behind the prologue the return address may be signed. */
bool
bbp_target_fentry (void)
{
  return true;
}

const char *
bbp_target_mcount (function *, bool)
{
  return "__fentry__";
}

bool
bbp_target_untouchable (function *)
{
  return false;
}

bool
bbp_target_uses_red_zone (function *)
{
  return false;
}

bool
bbp_target_keeps_all_registers (function *)
{
  return false;
}

/* First x16 and x17, then by number: the back end has no order of its own. */
unsigned
bbp_target_register (int i)
{
  return i < 2 ? R16_REGNUM + i : i - 2 < R16_REGNUM ? i - 2 : i;
}

bool
bbp_target_parking_place (unsigned regno)
{
  return TARGET_FLOAT && FP_REGNUM_P (regno);
}

int
bbp_target_vector_bytes (void)
{
  return TARGET_FLOAT ? 16 : 0;
}

rtx
bbp_target_move_stack (HOST_WIDE_INT offset)
{
  return gen_rtx_SET (stack_pointer_rtx, plus_constant (Pmode, stack_pointer_rtx, offset));
}

const char *
bbp_target_vector_name (unsigned regno)
{
  static const char *const names[] = { "d0",  "d1",  "d2",  "d3",  "d4",  "d5",  "d6",  "d7",
                                       "d8",  "d9",  "d10", "d11", "d12", "d13", "d14", "d15",
                                       "d16", "d17", "d18", "d19", "d20", "d21", "d22", "d23",
                                       "d24", "d25", "d26", "d27", "d28", "d29", "d30", "d31" };
  return names[regno - V0_REGNUM];
}

const char *
bbp_target_slot (int i)
{
  static const char *const slots[] = { "[sp]", "[sp, 8]", "[sp, 16]" };
  return slots[i];
}

const char *
bbp_target_syntax_begin (void)
{
  return "";
}

const char *
bbp_target_syntax_end (void)
{
  return "";
}
