/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit as a compiler of the 1990s would have written it with -ax, for x86-64: the example of
   GCC's manual.
     long foo (long n)    blocks 1, 2 of the manual: n + 1
     long outer (long n)  blocks 3, 4 (its main): calls foo twice in block 3
     long leave (long n)  not in the manual: calls hop, which jumps back over its own frame
   ANNOUNCED: the bytes that the table says it has. */
#ifndef ANNOUNCED
#define ANNOUNCED 88
#endif

/* FUNCTION_BLOCK_PROFILER, behind the prologue; rbx holds what is in use. */
	.macro	ENTER block
	leaq	LPBX0(%rip), %rdi
	movl	$\block, %esi
	call	__bb_init_trace_func@PLT
	.endm

/* BLOCK_PROFILER */
	.macro	BLOCK block
LPB\block:
	pushfq
	pushq	%rax
	pushq	%rcx
	movq	__bb@gottpoff(%rip), %rax
	leaq	LPBX0(%rip), %rcx
	movq	$\block, %fs:(%rax)
	movq	%rcx, %fs:8(%rax)
	call	__bb_trace_func@PLT
	popq	%rcx
	popq	%rax
	popfq
	.endm

	.text
	nop
	.globl	foo
	.type	foo, @function
foo:
	pushq	%rbx
	movq	%rdi, %rbx
	ENTER	0
	BLOCK	0
	incq	%rbx
	BLOCK	1
	movq	%rbx, %rax
	popq	%rbx
	call	__bb_trace_ret@PLT
	ret
	.size	foo, .-foo

	.globl	outer
	.type	outer, @function
outer:
	pushq	%rbx
	movq	%rdi, %rbx
	ENTER	2
	BLOCK	2
	movq	%rbx, %rdi
	call	foo
	movq	%rax, %rdi
	call	foo
	BLOCK	3
	popq	%rbx
	call	__bb_trace_ret@PLT
	ret
	.size	outer, .-outer

/* between (): is interrupted when block 7 is in __bb, and before it is reported. */
	.globl	between
	.type	between, @function
between:
	pushq	%rbx
	ENTER	7
LPB7:
	movq	__bb@gottpoff(%rip), %rax
	leaq	LPBX0(%rip), %rcx
	movq	$7, %fs:(%rax)
	movq	%rcx, %fs:8(%rax)
	call	interrupt@PLT
	call	__bb_trace_func@PLT
	popq	%rbx
	call	__bb_trace_ret@PLT
	ret
	.size	between, .-between

/* hop (where leave's stack ends): does not return, control goes on in leave, as by longjmp. */
	.globl	hop
	.type	hop, @function
hop:
	pushq	%rbx
	movq	%rdi, %rbx
	ENTER	4
	BLOCK	4
	movq	%rbx, %rsp
	movl	$77, %eax
	jmp	landed
	.size	hop, .-hop

	.globl	leave
	.type	leave, @function
leave:
	pushq	%rbx
	movq	%rdi, %rbx
	ENTER	5
	BLOCK	5
	movq	%rsp, %rdi
	subq	$256, %rsp
	call	hop
landed:
	BLOCK	6
	popq	%rbx
	call	__bb_trace_ret@PLT
	ret
	.size	leave, .-leave

	.data
	.balign	16
LPBX0:	.quad	0
	.quad	LPBX1
	.quad	LPBX2
	.quad	8
	.quad	0
	.quad	LPBX3
	.quad	ANNOUNCED
	.quad	LPBX4
	.quad	LPBX5
	.quad	LPBX6
#if ANNOUNCED == 88
	.quad	0
#endif
LPBX1:	.string	"/usr/src/vax/manual.d"
	.local	LPBX2
	.comm	LPBX2, 64, 16

	.section .data.rel.ro, "aw"
LPBC0:	.string	"manual.c"
LPBC1:	.string	"foo"
LPBC2:	.string	"outer"
LPBC3:	.string	"hop"
LPBC4:	.string	"leave"
LPBC5:	.string	"between"
	.balign	8
LPBX3:	.quad	LPB0, LPB1, LPB2, LPB3, LPB4, LPB5, LPB6, LPB7
LPBX4:	.quad	LPBC1, LPBC1, LPBC2, LPBC2, LPBC3, LPBC4, LPBC4, LPBC5
LPBX5:	.quad	3, 5, 10, 12, 20, 30, 33, 40
LPBX6:	.quad	LPBC0, LPBC0, LPBC0, LPBC0, LPBC0, LPBC0, LPBC0, LPBC0
	.quad	LPBX3

	.section .note.GNU-stack, "", @progbits
