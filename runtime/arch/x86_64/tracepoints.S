/* SPDX-License-Identifier: MIT */
/* The six functions that trace points call (bbprof-abi.h).  All registers survive except r11 and
   the flags, as with the hooks (mcount.S).  Context: hot.

   The stack pointer passed to a point is that of the instruction before the stub: the stub of an
   entry only calls, the others have skipped the red zone before.  Frequent cases need no C code
   (jump_points.h, traces.h). */

#include <cet.h>

#define STEP 136 /* the red zone, and a word of the stub's */

#include "runtime/count/arcs.h"
#include "jump_points.h"
#include "traces.h"

#define KEPT 48 /* bytes of saved registers, and of the previous bbp_point_caller */

/* Call FUNCTION (r11, the point's stack pointer), which was ABOVE its value at the call.
   bbp_point_caller shows handlers that C code runs for a point; it is set and restored while the
   return address is at the stack pointer. */
	.macro	CALL_POINT function, above
	movq	%rax, -8(%rsp)
	movq	%rcx, -16(%rsp)
	movq	%rdx, -24(%rsp)
	movq	%rdi, -32(%rsp)
	movq	%rsi, -40(%rsp)
	movq	bbp_point_caller@gottpoff(%rip), %rax
	movq	%fs:(%rax), %rcx
	movq	%rcx, -KEPT(%rsp)
	movq	(%rsp), %rcx
	movq	%rcx, %fs:(%rax)
	leaq	-KEPT(%rsp), %rsp
	.cfi_adjust_cfa_offset KEPT
	movq	%r11, %rdi
	leaq	KEPT+8+\above(%rsp), %rsi
	leaq	\function(%rip), %rax
	call	bbp_call_aligned
	leaq	KEPT(%rsp), %rsp
	.cfi_adjust_cfa_offset -KEPT
	movq	bbp_point_caller@gottpoff(%rip), %rax
	movq	-KEPT(%rsp), %rcx
	movq	%rcx, %fs:(%rax)
	movq	-40(%rsp), %rsi
	movq	-32(%rsp), %rdi
	movq	-24(%rsp), %rdx
	movq	-16(%rsp), %rcx
	movq	-8(%rsp), %rax
	ret
	.endm

	.macro	POINT name, function, above, quickly=NOT_QUICKLY, traced=NOT_TRACED
	.p2align 4
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	_CET_ENDBR
.L\name:
	movq	%rax, -8(%rsp)
	movq	__bb@gottpoff(%rip), %rax
	\traced
	\quickly
	movq	-8(%rsp), %rax
10:	CALL_POINT \function, \above
	.cfi_endproc
	.size	\name, .-\name
	.endm

	.text

	.globl	bbp_points
	.hidden	bbp_points
bbp_points:
	POINT	__bb_enter_func, bbp_point_enter, 0, ENTER_QUICKLY, ENTER_TRACED
	POINT	__bb_land_func, bbp_point_land, STEP, LAND_QUICKLY, LAND_TRACED
	POINT	__bb_return_func, bbp_point_return, STEP, RETURN_QUICKLY, RETURN_TRACED
	POINT	__bb_token_func, bbp_point_token, STEP, NOT_QUICKLY, TOKEN_TRACED
	POINT	__bb_jump_func, bbp_point_jump, STEP, JUMP_QUICKLY
	POINT	__bb_bits_func, bbp_point_bits, STEP, NOT_QUICKLY, BITS_TRACED
	.globl	bbp_points_end
	.hidden	bbp_points_end
bbp_points_end:

	.section .note.GNU-stack,"",@progbits
