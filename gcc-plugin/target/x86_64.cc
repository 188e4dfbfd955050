/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The i386 back end of GCC, as the plugin uses it (see cpu.h). */
#include "gcc-plugin/target/cpu.h"

const char *const bbp_target_leaving_words[]
    = { "syscall", "sysenter", "int", "hlt", "ud2", "call", "jmp", "ret", NULL };

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
  return TARGET_64BIT ? "-mx32" : "-m32";
}

bool
bbp_target_large (void)
{
  return ix86_cmodel == CM_LARGE || ix86_cmodel == CM_LARGE_PIC;
}

bool
bbp_target_adds_to_memory (void)
{
  return true;
}

bool
bbp_target_fentry (void)
{
  return flag_fentry > 0;
}

const char *
bbp_target_mcount (function *fn, bool before)
{
  if (!before)
    return MCOUNT_NAME;
  tree attr = lookup_attribute ("fentry_name", DECL_ATTRIBUTES (fn->decl));
  if (attr)
    return TREE_STRING_POINTER (TREE_VALUE (TREE_VALUE (attr)));
  return fentry_name ? fentry_name : MCOUNT_NAME_BEFORE_PROLOGUE;
}

bool
bbp_target_untouchable (function *fn)
{
  return fn->machine->func_type != TYPE_NORMAL
         || lookup_attribute ("naked", DECL_ATTRIBUTES (fn->decl));
}

bool
bbp_target_uses_red_zone (function *fn)
{
  return fn->machine->frame.red_zone_size > 0;
}

bool
bbp_target_keeps_all_registers (function *fn)
{
  return BBP_KEEPS_ALL_REGISTERS (fn->machine);
}

unsigned
bbp_target_register (int i)
{
  return reg_alloc_order[i];
}

/* xmm0 to xmm15: moving higher ones needs AVX-512. */
bool
bbp_target_parking_place (unsigned regno)
{
  return TARGET_SSE2 && (IN_RANGE (regno, FIRST_SSE_REG, LAST_SSE_REG) || REX_SSE_REGNO_P (regno));
}

int
bbp_target_vector_bytes (void)
{
  return TARGET_AVX512F ? 64 : TARGET_AVX ? 32 : TARGET_SSE ? 16 : 0;
}

rtx
bbp_target_move_stack (HOST_WIDE_INT offset)
{
  return gen_rtx_SET (stack_pointer_rtx, plus_constant (Pmode, stack_pointer_rtx, offset));
}

const char *
bbp_target_vector_name (unsigned regno)
{
  static const char *const names[] = {
    "%xmm0", "%xmm1", "%xmm2",  "%xmm3",  "%xmm4",  "%xmm5",  "%xmm6",  "%xmm7",
    "%xmm8", "%xmm9", "%xmm10", "%xmm11", "%xmm12", "%xmm13", "%xmm14", "%xmm15",
  };
  return names[regno <= LAST_SSE_REG ? regno - FIRST_SSE_REG : 8 + regno - FIRST_REX_SSE_REG];
}

const char *
bbp_target_slot (int i)
{
  static const char *const slots[] = { "0(%rsp)", "8(%rsp)", "16(%rsp)" };
  return slots[i];
}

const char *
bbp_target_syntax_begin (void)
{
  return ASSEMBLER_DIALECT == ASM_INTEL ? "\t.att_syntax prefix\n" : "";
}

const char *
bbp_target_syntax_end (void)
{
  return ASSEMBLER_DIALECT == ASM_INTEL ? "\t.intel_syntax noprefix\n" : "";
}
