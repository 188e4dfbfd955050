/* SPDX-License-Identifier: MIT */
/* The number of an interrupted system call.  The kernel does not keep it for handlers, or for
   observers; usually the code before the interrupted instruction shows it.  Context: signal. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/unwind/unwind.h"

enum { MOST_CALLS = 1024 };

/* For a function that takes the number as its argument, as libc's syscall does: the argument. */
static long
passed_by_caller (const void *context, const struct bbp_call_reader *reader)
{
  unsigned char bytes[BBP_CALL_CODE + BBP_CALL_BEHIND];
  uintptr_t back;
  size_t before;
  if (!reader->word ((uintptr_t) bbp_arch_register (context, BBP_ARCH_STACK), &back)
      || !reader->code (bytes, back, &before) || before < BBP_ARCH_CALL_BYTES)
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
number_passed (const void *context, const struct bbp_call_reader *reader,
               const unsigned char *bytes, size_t before)
{
  struct bbp_loaded loaded = bbp_arch_loaded (bytes, before, BBP_ARCH_NUMBER);
  if (loaded.by == BBP_LOADED_NUMBER)
    return loaded.value;
  if (loaded.by != BBP_LOADED_NOT && loaded.value == BBP_ARCH_FIRST)
    return passed_by_caller (context, reader);
  return loaded.by == BBP_LOADED_REGISTER ? bbp_arch_register (context, loaded.value)
                                          : BBP_SYSCALL_UNKNOWN;
}

long
bbp_system_call (const void *context, const struct bbp_call_reader *reader)
{
  unsigned char bytes[BBP_CALL_CODE + BBP_CALL_BEHIND] = { 0 };
  bool again;
  size_t before;
  uintptr_t entry = bbp_arch_entry (context, &again);
  if (!entry || !reader->code (bytes, entry, &before) || !bbp_arch_is_syscall (bytes + before))
    return BBP_SYSCALL_NONE;
  long number = again ? bbp_arch_register (context, BBP_ARCH_NUMBER) : SYS_restart_syscall;
  if (number == SYS_restart_syscall && !(reader->kept && reader->kept (context, entry, &number)))
    number = number_passed (context, reader, bytes, before);
  return number >= 0 && number < MOST_CALLS ? number : BBP_SYSCALL_UNKNOWN;
}
