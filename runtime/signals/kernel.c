/* SPDX-License-Identifier: MIT */
/* The system call that the calling thread's handler interrupted.  Context: signal. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"
#include "runtime/signals/signals.h"
#include "runtime/unwind/unwind.h"

enum { PAGE = 4096 };

static bool
read_code (unsigned char *bytes, uintptr_t address, size_t *before)
{
  *before = BBP_CALL_CODE;
  const uintptr_t low = address - BBP_CALL_CODE, high = address + BBP_CALL_BEHIND;
  if (bbp_mapping_of (low) && bbp_mapping_of (low) == bbp_mapping_of (high)
      && low / PAGE == high / PAGE)
    {
      bbp_copy_bytes (bytes, (const void *) low, high - low);
      return true;
    }
  if (bbp_sys_read_own (bytes, (const void *) low, high - low) == (long) (high - low))
    return true;
  *before = address % PAGE < BBP_CALL_CODE ? address % PAGE : BBP_CALL_CODE;
  size_t left = PAGE - address % PAGE,
         n = *before + (left < BBP_CALL_BEHIND ? left : BBP_CALL_BEHIND);
  return bbp_sys_read_own (bytes, (const void *) (address - *before), n) == (long) n;
}

static bool
read_word (uintptr_t address, uintptr_t *value)
{
  return bbp_sys_read_own (value, (const void *) address, sizeof *value) == sizeof *value;
}

/* The library's own syscall function keeps the number below the stack. */
static bool
kept (const void *context, uintptr_t entry, long *number)
{
  if (entry - (uintptr_t) bbp_syscall_code
      >= (uintptr_t) bbp_syscall_code_end - (uintptr_t) bbp_syscall_code)
    return false;
  *number = ((const long *) bbp_arch_register (context, BBP_ARCH_STACK))[-1];
  return true;
}

long
bbp_kernel_call (const void *context)
{
  static const struct bbp_call_reader own = { read_code, read_word, kept };
  return bbp_system_call (context, &own);
}
