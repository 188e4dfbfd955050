/* SPDX-License-Identifier: MIT */
/* Addresses of the library's own definitions of the functions in strong.h.  In libbbprof.a these
   words refer to the code itself, not to its public name, which may be another definition's
   (unname.c). */
#include "entry.h"

#define BBP_STRONG(name) .quad name;

	.section .data.rel.ro.own, "aw", %progbits
	.balign 8
	.globl __bb_own
	.protected __bb_own
	.type __bb_own, %object
__bb_own:
#include "runtime/base/strong.h"
	.size __bb_own, . - __bb_own
