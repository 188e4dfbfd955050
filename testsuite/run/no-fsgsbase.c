/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linked with --wrap=getauxval: a kernel without the instruction that sets the base of GS.  Not
   instrumented, because the library calls it. */
#include <sys/auxv.h>

enum { HWCAP2_FSGSBASE = 2 };

unsigned long __real_getauxval (unsigned long);
unsigned long __wrap_getauxval (unsigned long type);

unsigned long
__wrap_getauxval (unsigned long type)
{
  unsigned long value = __real_getauxval (type);
  return type == AT_HWCAP2 ? value & ~(unsigned long) HWCAP2_FSGSBASE : value;
}
