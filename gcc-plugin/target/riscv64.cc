/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The riscv back end of GCC, as the plugin uses it (see cpu.h). */
#include "gcc-plugin/target/cpu.h"

const char *const bbp_target_leaving_words[]
    = { "ecall", "ebreak", "unimp", "j\t", "j ", "jal", "jr", "call", "tail", "ret", NULL };

int
bbp_target_pointer_bits (void)
{
  return POINTER_SIZE;
}

int
bbp_target_word_bits (void)
{
  return TARGET_ATOMIC ? BITS_PER_WORD : 0;
}

const char *
bbp_target_variant (void)
{
  return TARGET_64BIT ? "-march without a" : "-mabi=ilp32";
}

bool
bbp_target_large (void)
{
  return false;
}

bool
bbp_target_adds_to_memory (void)
{
  return true;
}

/* Always: GCC's own call of _mcount is no part of the prologue, and could not be removed later. */
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

unsigned
bbp_target_register (int i)
{
  return reg_alloc_order[i];
}

bool
bbp_target_parking_place (unsigned regno)
{
  return TARGET_DOUBLE_FLOAT && FP_REG_P (regno);
}

int
bbp_target_vector_bytes (void)
{
  return TARGET_DOUBLE_FLOAT ? 8 : 0;
}

rtx
bbp_target_move_stack (HOST_WIDE_INT offset)
{
  return gen_rtx_SET (stack_pointer_rtx, plus_constant (Pmode, stack_pointer_rtx, offset));
}

const char *
bbp_target_vector_name (unsigned regno)
{
  return reg_names[regno];
}

const char *
bbp_target_slot (int i)
{
  static const char *const slots[] = { "0(sp)", "8(sp)", "16(sp)" };
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
