/* SPDX-License-Identifier: MIT */
/* Replacement of libc's syscall (number, ...).  In assembler, because a system call may make a
   child on the same stack, or on another one, where no frame of the library's may be.  The numbers
   that concern raw_syscall.c are passed to it, with all arguments.  Context: any. */
#include <sys/syscall.h>

#include "entry.h"

	.macro	SEEN number
	li	t1, \number
	beq	a0, t1, 1f
	.endm

	.globl	bbp_syscall_code, bbp_syscall_code_end
	.hidden	bbp_syscall_code, bbp_syscall_code_end
	.weak	syscall
	.p2align 4
bbp_syscall_code:
ENTRY syscall
	SEEN	SYS_prctl
	SEEN	SYS_seccomp
	SEEN	SYS_exit_group
	SEEN	SYS_execve
	SEEN	SYS_execveat
	mv	a7, a0
	mv	a0, a1
	mv	a1, a2
	mv	a2, a3
	mv	a3, a4
	mv	a4, a5
	mv	a5, a6
	ecall
	li	t1, -4096
	bgtu	a0, t1, 2f
	ret
1:	tail	bbp_syscall_intercept
2:	tail	bbp_syscall_failed
bbp_syscall_code_end:
END syscall
