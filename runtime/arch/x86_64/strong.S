/* SPDX-License-Identifier: MIT */
/* A member of libbbprof.a that defines NAME, which has slot SLOT in strong.h, and jumps to the
   library's own definition.  All registers and the stack are unchanged, because it may be a
   hook. */
#include <cet.h>

	.hidden __bb_own
	.section bbprof_text, "ax", @progbits
	.globl NAME
	.type NAME, @function
NAME:
	_CET_ENDBR
	jmp *__bb_own + 8 * SLOT(%rip)
	.size NAME, . - NAME

	.section .note.GNU-stack, "", @progbits
