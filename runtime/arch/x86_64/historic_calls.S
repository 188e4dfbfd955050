/* SPDX-License-Identifier: MIT */
/* The functions that code of the historic mode 2 calls (trace_historic.c).  Context: hot.

   __bb_init_trace_func (unit, block)  at a function's entry; arguments as in C, in rdi and rsi
   __bb_trace_func                     at each block; its number is in __bb
   __bb_trace_ret                      before a function returns

   All three preserve all registers and flags.  The stack may have any alignment of 8 bytes.
   Vector registers are safe because nothing in C that is called here uses any. */

#include <cet.h>

#include "push.h"

/* Saves the flags and all registers that C may change; aligns the stack for C and clears the
   direction flag. */
	.macro	MACHINE_STATE_SAVE
	pushfq
	.cfi_adjust_cfa_offset 8
	PUSH	rax
	PUSH	rcx
	PUSH	rdx
	PUSH	rsi
	PUSH	rdi
	PUSH	r8
	PUSH	r9
	PUSH	r10
	PUSH	r11
	PUSH	rbp
	movq	%rsp, %rbp
	.cfi_def_cfa_register rbp
	andq	$-16, %rsp
	cld
	.endm

	.macro	MACHINE_STATE_RESTORE
	movq	%rbp, %rsp
	.cfi_def_cfa_register rsp
	POP	rbp
	POP	r11
	POP	r10
	POP	r9
	POP	r8
	POP	rdi
	POP	rsi
	POP	rdx
	POP	rcx
	POP	rax
	popfq
	.cfi_adjust_cfa_offset -8
	.endm

/* Offset from rbp to the caller's stack pointer at the call. */
#define CALLERS_STACK 96

	.macro	ENTRY name, function, argument
	.p2align 4
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	_CET_ENDBR
	MACHINE_STATE_SAVE
	leaq	CALLERS_STACK(%rbp), %\argument
	call	\function
	MACHINE_STATE_RESTORE
	ret
	.cfi_endproc
	.size	\name, .-\name
	.endm

	.text

	ENTRY	__bb_init_trace_func, bbp_historic_enter, rdx
	ENTRY	__bb_trace_func, bbp_historic_block, rdi
	ENTRY	__bb_trace_ret, bbp_historic_leave, rdi

	.section .note.GNU-stack,"",@progbits
