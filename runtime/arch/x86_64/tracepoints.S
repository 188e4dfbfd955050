/* SPDX-License-Identifier: MIT */
/* The functions that trace points call (bbprof-abi.h).  All registers survive, except for the
   flags, and r11 at an entry.  Context: hot.  Frequent cases need no C code (jump_points.h,
   traces.h). */

#include <cet.h>

#define KEPT 56 /* bytes of saved registers, and of the previous bbp_point_caller */
#define CALLER_KEPT 48
#define R11_KEPT 56

#include "runtime/count/arcs.h"
#include "jump_points.h"
#include "traces.h"

/* Call FUNCTION (r11, the point's stack pointer), and return.  bbp_point_caller shows handlers that
   C code runs for a point: the return address less BACK; it is set and restored while the return
   address is at the stack pointer.  r11 was saved before. */
	.macro	CALL_POINT function, back=0
	movq	%rax, -8(%rsp)
	movq	%rcx, -16(%rsp)
	movq	%rdx, -24(%rsp)
	movq	%rdi, -32(%rsp)
	movq	%rsi, -40(%rsp)
	movq	bbp_point_caller@gottpoff(%rip), %rax
	movq	%fs:(%rax), %rcx
	movq	%rcx, -CALLER_KEPT(%rsp)
	movq	(%rsp), %rcx
	subq	$\back, %rcx
	movq	%rcx, %fs:(%rax)
	leaq	-KEPT(%rsp), %rsp
	.cfi_adjust_cfa_offset KEPT
	movq	%r11, %rdi
	leaq	KEPT+8(%rsp), %rsi
	leaq	\function(%rip), %rax
	call	bbp_call_aligned
	leaq	KEPT(%rsp), %rsp
	.cfi_adjust_cfa_offset -KEPT
	movq	bbp_point_caller@gottpoff(%rip), %rax
	movq	-CALLER_KEPT(%rsp), %rcx
	movq	%rcx, %fs:(%rax)
	movq	-R11_KEPT(%rsp), %r11
	movq	-40(%rsp), %rsi
	movq	-32(%rsp), %rdi
	movq	-24(%rsp), %rdx
	movq	-16(%rsp), %rcx
	movq	-8(%rsp), %rax
	ret
	.endm

	.macro	BEGIN_POINT name
	.p2align 4
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	_CET_ENDBR
	movq	%rax, -8(%rsp)
	.endm

	.macro	END_POINT name
	.cfi_endproc
	.size	\name, .-\name
	.endm

/* r11 becomes the address that stands behind the call, as the operand of an instruction. */
	.macro	TAKE_OPERAND
	movq	(%rsp), %rax
	leaq	1(%rax), %r11
	movslq	1(%rax), %rax
	addq	%rax, %r11
	.endm

	.macro	NO_OPERAND
	.endm

	.macro	POINT name, function, quickly=NOT_QUICKLY, traced=NOT_TRACED, operand=TAKE_OPERAND
	BEGIN_POINT \name
	movq	%r11, -R11_KEPT(%rsp)
	\operand
	movq	__bb@gottpoff(%rip), %rax
	\traced
	\quickly
	movq	-8(%rsp), %rax
10:	CALL_POINT \function
	END_POINT \name
	.endm

	.macro	BIT_POINT name, instruction, pushed, last, carry
	BEGIN_POINT \name
	movq	__bb@gottpoff(%rip), %rax
	PUSH_BIT \instruction, \pushed, \last, \carry
	END_POINT \name
	.endm

	.macro	HIDDEN names:vararg
	.globl	\names
	.hidden	\names
	.endm

	.text

	.globl	bbp_points
	.hidden	bbp_points
bbp_points:
	POINT	__bb_enter_func, bbp_point_enter, ENTER_QUICKLY, ENTER_TRACED, NO_OPERAND
	POINT	__bb_land_func, bbp_point_land, LAND_QUICKLY, LAND_TRACED
	POINT	__bb_return_func, bbp_point_return, RETURN_QUICKLY, RETURN_TRACED
	POINT	__bb_token_func, bbp_point_token, NOT_QUICKLY, TOKEN_TRACED
	POINT	__bb_jump_func, bbp_point_jump, JUMP_QUICKLY
	HIDDEN	bbp_zero, bbp_zero_pushed, bbp_one, bbp_one_pushed
bbp_zero:
	BIT_POINT __bb_zero_func, shlq, bbp_zero_pushed, bbp_last_zero
bbp_one:
	BIT_POINT __bb_one_func, rclq, bbp_one_pushed, bbp_last_one, stc
/* The bit that fills a word, with rax at the address of the thread's __bb, and its old value
   saved. */
	HIDDEN	bbp_last, bbp_last_counted, bbp_last_done
	.cfi_startproc
bbp_last:
bbp_last_zero:
	movq	%rcx, -16(%rsp)
	movq	%fs:TRACE_HERE_BITS(%rax), %rcx
	shlq	%rcx
	jmp	1f
bbp_last_one:
	movq	%rcx, -16(%rsp)
	movq	%fs:TRACE_HERE_BITS(%rax), %rcx
	stc
	rclq	%rcx
1:	PUT_WORD bbp_last_counted, bbp_last_done
	movq	__bb@gottpoff(%rip), %rax
	movq	$1, %fs:TRACE_HERE_BITS(%rax)
	movq	-8(%rsp), %rax
	movq	-R11_KEPT(%rsp), %r11
	ret
	.cfi_endproc
/* The code has pushed it. */
	HIDDEN	bbp_full, bbp_full_counted, bbp_full_done
bbp_full:
	BEGIN_POINT __bb_full_func
	movq	__bb@gottpoff(%rip), %rax
	movq	%rcx, -16(%rsp)
	movq	%fs:TRACE_HERE_BITS(%rax), %rcx
	PUT_WORD bbp_full_counted, bbp_full_done
	movq	-8(%rsp), %rax
	CALL_POINT bbp_point_bits, 1
	END_POINT __bb_full_func
	.globl	bbp_points_end
	.hidden	bbp_points_end
bbp_points_end:

	.section .note.GNU-stack,"",@progbits
