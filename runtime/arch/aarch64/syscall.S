/* SPDX-License-Identifier: MIT */
/* Replacement of libc's syscall (number, ...).  In assembler, because a system call may make a
   child on the same stack, or on another one, where no frame of the library's may be.  The numbers
   that concern raw_syscall.c are passed to it, with all arguments.  Context: any. */
#include <sys/syscall.h>

#include "entry.h"

	.macro	SEEN number
	cmp	x0, #\number
	b.eq	bbp_syscall_intercept
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
	mov	x8, x0
	mov	x0, x1
	mov	x1, x2
	mov	x2, x3
	mov	x3, x4
	mov	x4, x5
	mov	x5, x6
	svc	#0
	cmn	x0, #4096
	b.hi	bbp_syscall_failed
	ret
bbp_syscall_code_end:
END syscall
