/* SPDX-License-Identifier: MIT */
/* bbp_front (number, info, context): what the kernel calls when the program has set a handler
   (front.c).  Calls that with just the same arguments.  Stacks for signals may have room for
   little more than the kernel's frame, so little is kept meanwhile: a word, and what code of the
   historic mode 2 may have stored in __bb, if it was interrupted before the call that this is
   for (trace_historic.c).  Context: signal. */

#include <cet.h>

	.text

	.p2align 4
	.globl	bbp_front
	.hidden	bbp_front
	.type	bbp_front, @function
bbp_front:
	.cfi_startproc
	_CET_ENDBR
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	movq	%rdx, %rsi
	.globl	bbp_front_call
	.hidden	bbp_front_call
bbp_front_call:			/* up to here rdx holds the context; bbp_arch_front_context */
	call	bbp_front_enter	/* rax: the program's handler; rdx: a word to be kept */
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
	jmp	bbp_front_leave
	.cfi_endproc
	.size	bbp_front, .-bbp_front

	.section .note.GNU-stack,"",@progbits
