/* SPDX-License-Identifier: MIT */
/* bbp_wrapper (number, info, context), the handler wrapper (handler_wrapper.c): the handler that
   the kernel calls if the program has set one.  Calls that with the same arguments.  Signal stacks
   may have room for little more than the kernel's frame, so only a few words are kept: one of the
   wrapper's, and what code of the historic mode 2 may have stored in __bb if it was interrupted
   between the store and its call (trace_historic.c).  Context: signal. */

#include <cet.h>

	.text

	.p2align 4
	.globl	bbp_wrapper
	.hidden	bbp_wrapper
	.type	bbp_wrapper, @function
bbp_wrapper:
	.cfi_startproc
	_CET_ENDBR
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	movq	%rdx, %rsi
	.globl	bbp_wrapper_call
	.hidden	bbp_wrapper_call
bbp_wrapper_call:			/* up to here rdx holds the context; bbp_arch_wrapped_context */
	call	bbp_wrapper_enter	/* rax: the program's handler; rdx: a word to be kept */
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	xchgq	%rdx, (%rsp)
	movq	__bb@gottpoff(%rip), %rcx
	pushq	%fs:(%rcx)
	.cfi_adjust_cfa_offset 8
	pushq	%fs:8(%rcx)
	.cfi_adjust_cfa_offset 8
	call	*%rax
	movq	__bb@gottpoff(%rip), %rcx
	popq	%fs:8(%rcx)
	.cfi_adjust_cfa_offset -8
	popq	%fs:(%rcx)
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	jmp	bbp_wrapper_leave
	.cfi_endproc
	.size	bbp_wrapper, .-bbp_wrapper

	.section .note.GNU-stack,"",@progbits
