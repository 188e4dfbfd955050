/* SPDX-License-Identifier: MIT */
/* Replacement of libc's syscall (number, ...).  In assembler, because a system call may make a
   child on the same stack, or on another one, where no frame of the library's may be.  The numbers
   that concern raw_syscall.c are passed to it, with all arguments.  Context: any. */
#include <cet.h>
#include <sys/syscall.h>

	.macro	SEEN number
	cmpq	$\number, %rdi
	je	bbp_syscall_intercept
	.endm

	.section .text
	.globl	bbp_syscall_code, bbp_syscall_code_end
	.hidden	bbp_syscall_code, bbp_syscall_code_end
	.weak	syscall
	.type	syscall, @function
	.p2align 4
bbp_syscall_code:
syscall:
	.cfi_startproc
	_CET_ENDBR
	SEEN	SYS_prctl
	SEEN	SYS_seccomp
	SEEN	SYS_arch_prctl
	SEEN	SYS_exit_group
	SEEN	SYS_execve
	SEEN	SYS_execveat
	movq	%rdi, -8(%rsp)	/* for handlers: kernel.c */
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	movq	%r8, %r10
	movq	%r9, %r8
	movq	8(%rsp), %r9
	syscall
	cmpq	$-4096, %rax
	ja	1f
	ret
1:	movq	%rax, %rdi
	jmp	bbp_syscall_failed
	.cfi_endproc
bbp_syscall_code_end:
	.size	syscall, .-syscall

	.section .note.GNU-stack,"",@progbits
