/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit as a compiler of the 1990s would have written it with -ax, which has the plain variable
   __bb in its instructions.
   long work (long n): 1 + ... + n; block 0 (entry), 1 (the loop; n times), 2 (the end)
   void between (void): block 3; calls interrupt () when the block is in __bb, and before it is
   reported.
   In a library (IN_LIBRARY) __bb is found by the global offset table. */

	.macro	ENTER block
	pushq	%rdi
	leaq	LPBX0(%rip), %rdi
	movl	$\block, %esi
	call	__bb_init_trace_func@PLT
	popq	%rdi
	.endm

	.macro	STORE block
	pushq	%rax
	pushq	%rcx
	leaq	LPBX0(%rip), %rcx
#ifdef IN_LIBRARY
	movq	__bb@GOTPCREL(%rip), %rax
	movq	$\block, (%rax)
	movq	%rcx, 8(%rax)
#else
	movq	$\block, __bb(%rip)
	movq	%rcx, 8+__bb(%rip)
#endif
	popq	%rcx
	popq	%rax
	.endm

	.macro	BLOCK block
LPB\block:
	pushfq
	STORE	\block
	call	__bb_trace_func@PLT
	popfq
	.endm

	.text
	nop
	.globl	work
	.type	work, @function
work:
	ENTER	0
	BLOCK	0
	xorl	%eax, %eax
1:	BLOCK	1
	addq	%rdi, %rax
	decq	%rdi
	jne	1b
	BLOCK	2
	call	__bb_trace_ret@PLT
	ret
	.size	work, .-work

	.globl	between
	.type	between, @function
between:
	pushq	%rbx
	ENTER	3
LPB3:
	STORE	3
	call	interrupt@PLT
	call	__bb_trace_func@PLT
	popq	%rbx
	call	__bb_trace_ret@PLT
	ret
	.size	between, .-between

	.data
	.balign	16
LPBX0:	.quad	0, LPBX1, LPBX2, 4, 0, LPBX3, 88, LPBX4, LPBX5, LPBX6, 0
LPBX1:	.string	"/usr/src/vax/plain.d"
	.local	LPBX2
	.comm	LPBX2, 32, 16

	.section .data.rel.ro, "aw"
LPBC0:	.string	"plain.c"
LPBC1:	.string	"work"
LPBC2:	.string	"between"
	.balign	8
LPBX3:	.quad	LPB0, LPB1, LPB2, LPB3
LPBX4:	.quad	LPBC1, LPBC1, LPBC1, LPBC2
LPBX5:	.quad	10, 11, 12, 13
LPBX6:	.quad	LPBC0, LPBC0, LPBC0, LPBC0
	.quad	LPBX3

	.section .note.GNU-stack, "", @progbits
