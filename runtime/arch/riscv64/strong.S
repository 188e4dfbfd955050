/* SPDX-License-Identifier: MIT */
/* A member of libbbprof.a that defines NAME, which has slot SLOT in strong.h, and jumps to the
   library's own definition.  Only t3 changes, as in any call; it may be a hook. */
#include "entry.h"

	.hidden __bb_own
	.section bbprof_text, "ax", %progbits
	.globl NAME
ENTRY NAME
1:	auipc	t3, %pcrel_hi(__bb_own + 8 * SLOT)
	ld	t3, %pcrel_lo(1b)(t3)
	jr	t3
END NAME
