/* SPDX-License-Identifier: MIT */
/* Calls of functions with other registers or another stack (arch.h).  Context: any. */
#include <cet.h>

#include "push.h"

	.text
/* bbp_arch_keep_vectors (function, argument, area): calls FUNCTION (ARGUMENT), which may be one of
   libc's and use vector registers, and restores these and the x87 registers.  They are kept in AREA
   (BBP_ARCH_VECTORS_BYTES of zeros), not on the stack, which may be a small signal stack.  Not for
   hot paths. */
#define COMPONENTS 0xe7 /* x87, SSE, AVX, AVX-512: what GCC and libc use */
	.p2align 4
	.globl	bbp_arch_keep_vectors
	.hidden	bbp_arch_keep_vectors
	.type	bbp_arch_keep_vectors, @function
bbp_arch_keep_vectors:
	.cfi_startproc
	_CET_ENDBR
	PUSH	rbx
	PUSH	r12
	PUSH	r13
	movq	%rdi, %r12
	movq	%rsi, %r13
	leaq	63(%rdx), %r11
	andq	$-64, %r11
	movl	$1, %eax
	cpuid
	movq	%r11, %rbx
	btl	$27, %ecx		/* the system uses xsave */
	jc	1f
	fxsave64 (%rbx)
	movq	%r13, %rdi
	call	*%r12
	fxrstor64 (%rbx)
	jmp	2f
1:	movl	$COMPONENTS, %eax
	xorl	%edx, %edx
	xsave64	(%rbx)
	movq	%r13, %rdi
	call	*%r12
	movl	$COMPONENTS, %eax
	xorl	%edx, %edx
	xrstor64 (%rbx)
2:	POP	r13
	POP	r12
	POP	rbx
	ret
	.cfi_endproc
	.size	bbp_arch_keep_vectors, .-bbp_arch_keep_vectors

/* bbp_arch_call_on (top, function, argument): calls FUNCTION (ARGUMENT) on the stack that ends
   at TOP. */
	.p2align 4
	.globl	bbp_arch_call_on
	.hidden	bbp_arch_call_on
	.type	bbp_arch_call_on, @function
bbp_arch_call_on:
	.cfi_startproc
	_CET_ENDBR
	PUSH	rbp
	movq	%rsp, %rbp
	.cfi_def_cfa_register rbp
	movq	%rdi, %rsp
	movq	%rdx, %rdi
	call	*%rsi
	leave
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size	bbp_arch_call_on, .-bbp_arch_call_on

	.section .note.GNU-stack,"",@progbits
