/* SPDX-License-Identifier: MIT */
/* Which call made a hook run that is interrupted, on processors whose hooks leave the return
   address in the link register, except while C code runs for a trace point.  Part of arch.h, which
   defines BBP_ARCH_BIT_LEFT, the register that is 0 if a bit was stored, and BBP_ARCH_BITS, the
   register with the bits before.  Context: signal. */
#ifndef BBP_LINK_HOOKS_H
#define BBP_LINK_HOOKS_H

#pragma GCC visibility push(hidden)
extern const char bbp_indirect[];
extern const char bbp_indirect_slow[];
extern const char bbp_points[];
extern const char bbp_zero[];
extern const char bbp_zero_pushed[];
extern const char bbp_one[];
extern const char bbp_one_pushed[];
extern const char bbp_points_full[];
extern const char bbp_points_end[];
#pragma GCC visibility pop

static inline bool
bbp_arch_is_between (uintptr_t pc, const char *start, const char *stop)
{
  return pc - (uintptr_t) start < (uintptr_t) (stop - start);
}

/* In a function that pushes a bit: 1 less if it is not pushed yet, 2 less if it has filled a word
   (PUSHED: the instruction behind the store). */
static inline uintptr_t
bbp_arch_bit_caller (const void *context, const char *start, const char *pushed)
{
  const uintptr_t pc = bbp_arch_pc (context), behind = pc - (uintptr_t) pushed,
                  caller = (uintptr_t) bbp_arch_register (context, BBP_ARCH_LINK);
  if (bbp_arch_is_between (pc, start, pushed)
      || (behind == 0 && (uint32_t) bbp_arch_register (context, BBP_ARCH_BIT_LEFT)))
    return caller - 1;
  return behind <= 4 && bbp_arch_register (context, BBP_ARCH_BITS) < 0 ? caller - 2 : caller;
}

static inline uintptr_t
bbp_arch_hook_caller (const void *context)
{
  const uintptr_t pc = bbp_arch_pc (context),
                  caller = (uintptr_t) bbp_arch_register (context, BBP_ARCH_LINK);
  if (bbp_arch_is_between (pc, bbp_zero, bbp_one))
    return bbp_arch_bit_caller (context, bbp_zero, bbp_zero_pushed);
  if (bbp_arch_is_between (pc, bbp_one, bbp_points_full))
    return bbp_arch_bit_caller (context, bbp_one, bbp_one_pushed);
  if (bbp_arch_is_between (pc, bbp_points_full, bbp_points_end))
    return caller - 2;
  return bbp_arch_is_between (pc, bbp_indirect, bbp_indirect_slow)
                 || bbp_arch_is_between (pc, bbp_points, bbp_zero)
             ? caller
             : 0;
}

#endif
