/* SPDX-License-Identifier: MIT */
/* Code that handlers run uses only what was found out before, and runs on a stack of the library's:
   the program's may be a signal stack with room for hardly more than the kernel's frame, and an
   overflow would end the program.  Context: signal, _exit. */
#include "arch.h"
#include "runtime/base/base.h"

/* Several times what the dump needs.  Lock. */
static char stack[64 << 10] __attribute__ ((aligned (16)));

void
bbp_on_handler_stack (void (*function) (void *), void *argument)
{
  bbp.in_handler = true;
  bbp_arch_call_on (stack + sizeof stack, function, argument);
  bbp.in_handler = false;
}

void
bbp_on_own_stack (void (*function) (void *), void *argument)
{
  if (bbp.in_handler)
    function (argument); /* it runs there already */
  else
    bbp_arch_call_on (stack + sizeof stack, function, argument);
}
