/* SPDX-License-Identifier: MIT */
/* The six functions that trace points call (bbprof-abi.h): all registers survive but r11 and the flags, as with the hooks
   (mcount.S).  Context: hot.

   The stack pointer that a point is told by is that of the instruction before the stub: an entry's stub only calls, the others have
   stepped over the red zone before.  What is most frequent needs no C (jumps.h). */

#include <cet.h>

#define STEP 136 /* over the red zone, and a word of the stub's */

#include "push.h"
#include "arcs.h"
#include "jumps.h"

/* FUNCTION (r11, the point's stack pointer), which was ABOVE what the call has left. */
	.macro	CALL_POINT function, above
	PUSH	rax
	PUSH	rcx
	PUSH	rdx
	PUSH	rdi
	PUSH	rsi
	movq	%r11, %rdi
	leaq	48+\above(%rsp), %rsi
	leaq	\function(%rip), %rax
	call	bbp_call_aligned
	POP	rsi
	POP	rdi
	POP	rdx
	POP	rcx
	POP	rax
	ret
	.endm

	.macro	POINT name, function, above, quickly=NOT_QUICKLY
	.p2align 4
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	_CET_ENDBR
	\quickly
	CALL_POINT \function, \above
	.cfi_endproc
	.size	\name, .-\name
	.endm

	.text

	POINT	__bb_enter_func, bbp_point_enter, 0, ENTER_QUICKLY
	POINT	__bb_land_func, bbp_point_land, STEP, LAND_QUICKLY
	POINT	__bb_return_func, bbp_point_return, STEP, RETURN_QUICKLY
	POINT	__bb_token_func, bbp_point_token, STEP
	POINT	__bb_jump_func, bbp_point_jump, STEP, JUMP_QUICKLY
	POINT	__bb_bits_func, bbp_point_bits, STEP

	.section .note.GNU-stack,"",@progbits
