/* SPDX-License-Identifier: MIT */
/* The hooks that compiled code calls on Windows; runtime/arch/x86_64/mcount.S has those of other
   systems.  Context: hot.

   __fentry__   at a function's begin: caller at 8(%rsp), callee is the hook's return address
   __bb_indirect_func  before an indirect call: caller is the hook's return address, callee in r11,
                which is preserved
   __bb_thread_func    makes the thread known

   All registers survive except r11 and the flags; vector registers, too, because the fast paths use
   none, and the slow one saves them.  Nothing is stored below the stack pointer.  The functions in
   C have the convention of System V, so that they change no register but those that are saved
   here. */
#include "runtime/count/arcs.h"

#define INDIRECT_BIT 63 /* BBP_ARC_INDIRECT */

	.macro	FUNCTION name
	.p2align 6
	.globl	\name
	.def	\name; .scl 2; .type 32; .endef
	.seh_proc \name
\name:
	.endm

	.macro	SAVE reg
	pushq	%\reg
	.seh_pushreg %\reg
	.endm

/* If slot N from r11 is the arc's, count there and go to 8.  rax: the caller's address. */
	.macro	COUNT_IN_SLOT n
	cmpq	%rax, TABLE_SLOTS+ARC_BYTES*\n+ARC_FROM(%r11)
	jne	2f
	movq	8(%rsp), %rax
	cmpq	%rax, TABLE_SLOTS+ARC_BYTES*\n+ARC_SELF(%r11)
	jne	1f
	incq	TABLE_SLOTS+ARC_BYTES*\n+ARC_COUNT(%r11)
	popq	%rax
	ret
1:	movq	16(%rsp), %rax
2:
	.endm

	.text
	.globl	mcount
	.globl	_mcount
	.set	mcount, __fentry__
	.set	_mcount, __fentry__
	FUNCTION __fentry__
	SAVE	rax
	.seh_endprologue
	movq	bbp_arcs_slot(%rip), %r11
	movq	%gs:(%r11), %r11
	testq	%r11, %r11
	jz	9f
	movq	8(%rsp), %rax
	shlq	$3, %rax
	addq	16(%rsp), %rax
	imulq	$HASH_FACTOR, %rax, %rax
	shrq	$HASH_SHIFT, %rax
	andq	TABLE_MASK(%r11), %rax
	addq	%rax, %r11
	movq	16(%rsp), %rax
	COUNT_IN_SLOT 0
	COUNT_IN_SLOT 1
	COUNT_IN_SLOT 2
	COUNT_IN_SLOT 3
9:	leaq	bbp_no_arcs(%rip), %rax	/* every arc hashes to its only slot */
	cmpq	%rax, %r11
	popq	%rax
	jne	arc_slow
	ret
	.seh_endproc

/* If slot N from r10 is the arc's, go on at 5.  rax: FROM. */
	.macro	FIND_SLOT n
	cmpq	%rax, TABLE_SLOTS+ARC_BYTES*\n+ARC_FROM(%r10)
	jne	1f
	cmpq	%r11, TABLE_SLOTS+ARC_BYTES*\n+ARC_SELF(%r10)
	jne	1f
	incq	TABLE_SLOTS+ARC_BYTES*\n+ARC_COUNT(%r10)
	jmp	8f
1:
	.endm

/* The labels say how many words are on the stack (bbp_hook_caller). */
	.globl	bbp_indirect, bbp_indirect_1, bbp_indirect_2, bbp_indirect_3, bbp_indirect_4
	.globl	bbp_indirect_end
	FUNCTION __bb_indirect_func
bbp_indirect:
	SAVE	rax
bbp_indirect_1:
	SAVE	r10
bbp_indirect_2:
	.seh_endprologue
	movq	bbp_arcs_slot(%rip), %r10
	movq	%gs:(%r10), %r10
	testq	%r10, %r10
	jz	9f
	leaq	(,%r11,8), %rax
	addq	16(%rsp), %rax
	btcq	$INDIRECT_BIT, %rax	/* adds that bit */
	imulq	$HASH_FACTOR, %rax, %rax
	shrq	$HASH_SHIFT, %rax
	andq	TABLE_MASK(%r10), %rax
	addq	%rax, %r10
	movq	16(%rsp), %rax
	btsq	$INDIRECT_BIT, %rax
	FIND_SLOT 0
	FIND_SLOT 1
	FIND_SLOT 2
	FIND_SLOT 3
9:	leaq	bbp_no_arcs(%rip), %rax
	cmpq	%rax, %r10
	jne	7f
8:	popq	%r10
bbp_indirect_3:
	popq	%rax
bbp_indirect_4:
	ret
7:	popq	%r10
	popq	%rax
	jmp	indirect_slow
bbp_indirect_end:
	.seh_endproc

/* The slow paths: the C function, with two arguments, on an aligned stack with all vector registers
   saved.  LOAD: the arguments, from what is at rbp: the former rbp, the hook's return address, then
   the caller's. */
#define VECTOR_BYTES 2752	/* AVX-512 ends at 2688 of the xsave area */
#define COMPONENTS 0xe7		/* x87, SSE, AVX, AVX-512 */
	.macro	SLOW name, function, load:vararg
	FUNCTION \name
	SAVE	rbp
	movq	%rsp, %rbp
	.seh_setframe %rbp, 0
	.seh_endprologue
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rbx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	cld
	\load
	leaq	\function(%rip), %rax
	call	call_keeping_vectors
	leaq	-80(%rbp), %rsp
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rbx
	popq	%rdx
	popq	%rcx
	popq	%rax
	popq	%rbp
	ret
	.seh_endproc
	.endm

	.macro	LOAD_ARC
	movq	8(%rbp), %rsi
	movq	16(%rbp), %rdi
	.endm
	SLOW	arc_slow, bbp_arc_slow, LOAD_ARC

	.macro	LOAD_INDIRECT
	movq	%r11, %rsi
	movq	8(%rbp), %rdi
	btsq	$INDIRECT_BIT, %rdi
	.endm
	SLOW	indirect_slow, bbp_arc_slow, LOAD_INDIRECT

	SLOW	__bb_thread_func, bbp_thread_attach, nop

/* Calls the function in rax (rdi, rsi).  Changes all general registers but rbp and rsp. */
	FUNCTION call_keeping_vectors
	SAVE	rbp
	movq	%rsp, %rbp
	.seh_setframe %rbp, 0
	.seh_endprologue
	movq	%rax, %r8
	subq	$VECTOR_BYTES, %rsp
	andq	$-64, %rsp
	xorl	%eax, %eax
	.irp	offset, 512, 520, 528, 536, 544, 552, 560, 568
	movq	%rax, \offset(%rsp)	/* the header of the area */
	.endr
	movl	$1, %eax
	cpuid
	btl	$27, %ecx		/* the system uses xsave */
	jc	1f
	fxsave64 (%rsp)
	call	*%r8
	fxrstor64 (%rsp)
	jmp	2f
1:	movl	$COMPONENTS, %eax
	xorl	%edx, %edx
	xsave64	(%rsp)
	call	*%r8
	movl	$COMPONENTS, %eax
	xorl	%edx, %edx
	xrstor64 (%rsp)
2:	movq	%rbp, %rsp
	popq	%rbp
	ret
	.seh_endproc

	.data
	.globl	bbp_arcs_slot
	.balign	8
bbp_arcs_slot:
	.quad	0x18	/* BBP_ZERO_WORD, until there is a slot */
