/* SPDX-License-Identifier: MIT */
/* Replacement of libc's arch_prctl, by which a program sets the base of GS.  Context: any. */
#include "runtime/base/sys.h"
#include "runtime/process/process.h"

BBP_PUBLIC_WEAK int arch_prctl (int, unsigned long);

int
arch_prctl (int option, unsigned long address)
{
  return (int) bbp_syscall_intercept (SYS_arch_prctl, option, (long) address, 0, 0, 0, 0);
}
