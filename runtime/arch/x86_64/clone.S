/* SPDX-License-Identifier: MIT */
/* bbp_arch_clone (flags, top, function, argument): see arch.h.  Context: cold.  */

#include <cet.h>
#include <sys/syscall.h>

	.text

	.p2align 4
	.globl	bbp_arch_clone
	.hidden	bbp_arch_clone
	.type	bbp_arch_clone, @function
bbp_arch_clone:
	.cfi_startproc
	_CET_ENDBR
	movq	%rdx, -8(%rsi)
	movq	%rcx, -16(%rsi)
	subq	$16, %rsi
	xorl	%edx, %edx
	xorl	%r10d, %r10d
	xorl	%r8d, %r8d
	movl	$SYS_clone, %eax
	syscall
	testq	%rax, %rax
	jz	1f
	ret
	.cfi_undefined rip
1:	xorl	%ebp, %ebp
	popq	%rdi
	popq	%rax
	call	*%rax
	movl	%eax, %edi
	movl	$SYS_exit, %eax
	syscall
	hlt
	.cfi_endproc
	.size	bbp_arch_clone, .-bbp_arch_clone

	.section .note.GNU-stack,"",@progbits
