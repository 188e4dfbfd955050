/* SPDX-License-Identifier: MIT */
/* The number of an interrupted system call.  The kernel does not pass it to handlers; usually the
   code before the interrupted instruction shows it.  Context: signal. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"
#include "runtime/signals/signals.h"

enum { CODE = 48, BEHIND = 16, PAGE = 4096, MOST_CALLS = 1024 };

/* Read up to CODE bytes before ADDRESS and BEHIND bytes from there, or less at the bounds of a
   page, if they are readable: BYTES; *BEFORE: how many are before ADDRESS. */
static bool
read_code (unsigned char *bytes, uintptr_t address, size_t *before)
{
  *before = CODE;
  if (bbp_mapping_of (address - CODE)
      && bbp_mapping_of (address - CODE) == bbp_mapping_of (address + BEHIND)
      && (address - CODE) / PAGE == (address + BEHIND) / PAGE)
    {
      bbp_copy_bytes (bytes, (const void *) (address - CODE), CODE + BEHIND);
      return true;
    }
  if (bbp_sys_read_own (bytes, (const void *) (address - CODE), CODE + BEHIND) == CODE + BEHIND)
    return true;
  *before = address % PAGE < CODE ? address % PAGE : CODE;
  size_t left = PAGE - address % PAGE, n = *before + (left < BEHIND ? left : BEHIND);
  return bbp_sys_read_own (bytes, (const void *) (address - *before), n) == (long) n;
}

/* For a function that takes the number as its argument, as libc's syscall does: the argument. */
static long
passed_by_caller (const void *context)
{
  unsigned char bytes[CODE + BEHIND];
  uintptr_t back;
  size_t before;
  if (bbp_sys_read_own (&back, (const void *) bbp_arch_register (context, BBP_ARCH_STACK),
                        sizeof back)
          != sizeof back
      || !read_code (bytes, back, &before) || before < BBP_ARCH_CALL_BYTES)
    return BBP_SYSCALL_UNKNOWN;
  struct bbp_branch call = bbp_arch_call_before (bytes + before - BBP_ARCH_CALL_BYTES, back);
  if (call.kind == BBP_BRANCH_NONE)
    return BBP_SYSCALL_UNKNOWN;
  struct bbp_loaded loaded = bbp_arch_loaded (bytes, before - call.bytes, BBP_ARCH_FIRST);
  return loaded.by == BBP_LOADED_NUMBER ? loaded.value : BBP_SYSCALL_UNKNOWN;
}

/* The number that the code passes to the kernel; the first BEFORE of BYTES precede the
   instruction. */
static long
number_passed (const void *context, const unsigned char *bytes, size_t before)
{
  struct bbp_loaded loaded = bbp_arch_loaded (bytes, before, BBP_ARCH_NUMBER);
  if (loaded.by == BBP_LOADED_NUMBER)
    return loaded.value;
  if (loaded.by != BBP_LOADED_NOT && loaded.value == BBP_ARCH_FIRST)
    return passed_by_caller (context);
  return loaded.by == BBP_LOADED_REGISTER ? bbp_arch_register (context, loaded.value)
                                          : BBP_SYSCALL_UNKNOWN;
}

/* The library's own syscall function keeps the number below the stack. */
static bool
is_in_ours (uintptr_t entry)
{
  return entry - (uintptr_t) bbp_syscall_code
         < (uintptr_t) bbp_syscall_code_end - (uintptr_t) bbp_syscall_code;
}

static long
number_left (const void *context)
{
  return ((const long *) bbp_arch_register (context, BBP_ARCH_STACK))[-1];
}

long
bbp_kernel_call (const void *context)
{
  unsigned char bytes[CODE + BEHIND] = { 0 };
  bool again;
  size_t before;
  uintptr_t entry = bbp_arch_entry (context, &again);
  if (!entry || !read_code (bytes, entry, &before)
      || (bytes[before] | (unsigned) bytes[before + 1] << 8) != BBP_ARCH_SYSCALL)
    return BBP_SYSCALL_NONE;
  long number = again ? bbp_arch_register (context, BBP_ARCH_NUMBER) : SYS_restart_syscall;
  if (number == SYS_restart_syscall)
    number = is_in_ours (entry) ? number_left (context) : number_passed (context, bytes, before);
  return number >= 0 && number < MOST_CALLS ? number : BBP_SYSCALL_UNKNOWN;
}
