/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit as a compiler of the 1990s would have written it with -a, for x86-64: each function checks
   at its entry whether the unit is registered, each block counts in place, and the tables contain
   each block's place and names.
   work (n) adds up 1 to n: blocks 0 (entry; 1 per call), 1 (the loop; n), 2 (the end; 1).
   never () is not called: block 3.
   ANNOUNCED: the bytes that the table says it has; PRESENT: the fields that follow (11: GCC 2.8
   and later). */
#ifndef ANNOUNCED
#define ANNOUNCED 88
#endif
	.text
	nop
	.globl	work
	.type	work, @function
work:
	pushq	%rbp
	movq	%rsp, %rbp
	cmpq	$0, LPBX0(%rip)
	jne	LPBZ0
	pushq	%rdi
	pushq	%rdi
	leaq	LPBX0(%rip), %rdi
	call	__bb_init_func@PLT
	popq	%rdi
	popq	%rdi
LPBZ0:
LPB0:	incq	LPBX2(%rip)
	xorl	%eax, %eax
LPB1:	incq	LPBX2+8(%rip)
	addq	%rdi, %rax
	decq	%rdi
	jne	LPB1
LPB2:	incq	LPBX2+16(%rip)
	popq	%rbp
	ret
	.size	work, .-work

	.globl	never
	.type	never, @function
never:
	cmpq	$0, LPBX0(%rip)
	jne	LPBZ1
	pushq	%rax
	leaq	LPBX0(%rip), %rdi
	call	__bb_init_func@PLT
	popq	%rax
LPBZ1:
LPB3:	incq	LPBX2+24(%rip)
	ret
	.size	never, .-never

	.data
	.balign	16
LPBX0:	.quad	0
	.quad	LPBX1
	.quad	LPBX2
	.quad	4
	.quad	0
	.quad	LPBX3
	.quad	ANNOUNCED
	.quad	LPBX4
	.quad	LPBX5
	.quad	LPBX6
#if ANNOUNCED == 88
	.quad	0
#endif
LPBX1:	.string	"/usr/src/vax/work.d"
	.local	LPBX2
	.comm	LPBX2, 32, 16

	.section .data.rel.ro, "aw"
LPBC0:	.string	"work.c"
LPBC1:	.string	"old_work"
LPBC2:	.string	"never"
	.balign	8
LPBX3:	.quad	LPB0, LPB1, LPB2, LPB3
LPBX4:	.quad	LPBC1, LPBC1, LPBC1, 0
LPBX5:	.quad	3, 5, 7, 11
LPBX6:	.quad	LPBC0, LPBC0, LPBC0, 0
	.quad	LPBX3

	.section .note.GNU-stack, "", @progbits
