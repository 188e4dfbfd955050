/* SPDX-License-Identifier: MIT */
/* A member of libbbprof.a that defines NAME, which has slot SLOT in strong.h, and jumps to the
   library's own definition.  Only x16 and x17 change, as in any call; it may be a hook. */
#include "entry.h"

	.hidden __bb_own
	.section bbprof_text, "ax", %progbits
	.globl NAME
ENTRY NAME
	adrp	x17, __bb_own + 8 * SLOT
	ldr	x17, [x17, #:lo12:__bb_own + 8 * SLOT]
	br	x17
END NAME
