/* SPDX-License-Identifier: MIT */
/* GS's base of the calling thread: how far its counters for the executable's module are from the module's own.  Nobody
   but the thread itself can set it.  Context: any, but as said. */
#include <sys/auxv.h>

#include "internal.h"
#include "sys.h"

/* By a system call where the kernel does not offer the instruction: before Linux 5.9, in valgrind. */
static bool by_instruction;

/* Cold, before there is a module. */
void
bbp_base_start (void)
{
  by_instruction = getauxval (AT_HWCAP2) & BBP_ARCH_HWCAP2_GS;
}

bool
bbp_base_set (uintptr_t base)
{
  if (!by_instruction)
    return bbp_sys_set_gs (base) == 0;
  bbp_arch_set_gs (base);
  return true;
}

/* What cannot be asked for is taken for somebody's. */
bool
bbp_base_is_free (void)
{
  uintptr_t base = 1;
  if (by_instruction)
    base = bbp_arch_get_gs ();
  else
    bbp_sys_get_gs (&base);
  return base == 0;
}
