/* SPDX-License-Identifier: MIT */
/* The hooks that compiled code calls on x86-64.  Context: hot.

   mcount       after the prologue: caller at 8(%rbp), callee is the hook's return address
   __fentry__   at the function's begin: caller at 8(%rsp), callee is the hook's return address
   __bb_indirect_func  before an indirect call: caller is the hook's return address, callee in r11,
                       which is preserved
   __bb_site_func      likewise, where code counts in line; rax is the address of the call site's
                       words; leaves in r10 the distance from there to the slot
   __bb_thread_func    attaches the thread

   mcount, _mcount and __fentry__ are weak: a program may define its own.

   The convention (GCC): all registers survive except r11 and the flags; rax holds the number of
   vector arguments, r10 the static chain.  The stack may have any alignment of 8 bytes.  Vector
   registers are safe because no code here or called from here uses them (the C files are compiled
   with -mgeneral-regs-only).

   The fast path probes the slot of the thread's arc table (struct bbp_arc_table) that the arc
   hashes to, and the next three (seven for direct calls, which have more arcs), and increments the
   arc's counter.  bbp_arc_slow does everything else: a thread's first call, an arc's first call,
   more collisions.  Calls of a stopped thread (bbp_no_arcs) are ignored. */

/* _CET_ENDBR, and the note that the file may be linked into a program with control-flow
   protection. */
#include <cet.h>

#include "runtime/count/arcs.h"
#include "push.h"

/* The words of a call site (struct bbp_site_words).  Bits of the callee's address choose one. */
#define SITE_WORDS 24
#define WORD_SHIFT 1
#define WORD_MASK 0x38

/* The flag in FROM for arcs of indirect calls (BBP_ARC_INDIRECT). */
#define INDIRECT_BIT 63

/* If slot N from r11 is the arc's, count there and return.  rax: the caller's return address,
   FROM. */
	.macro	COUNT_IN_SLOT n, from
	cmpq	%rax, TABLE_SLOTS+ARC_BYTES*\n+ARC_FROM(%r11)
	jne	2f
	movq	8(%rsp), %rax
	cmpq	%rax, TABLE_SLOTS+ARC_BYTES*\n+ARC_SELF(%r11)
	jne	1f
	incq	TABLE_SLOTS+ARC_BYTES*\n+ARC_COUNT(%r11)
	.cfi_remember_state
	POP	rax
	ret
	.cfi_restore_state
1:	movq	\from, %rax
2:
	.endm

/* One register is enough: r11 gets the slot's address, and the two addresses are read again for
   the comparison.  FROM: operand with the caller's return address after rax is pushed; FROM_SLOW:
   after four more registers are pushed. */
	.macro	COUNT_ARC from, from_slow
	PUSH	rax
	movq	bbp_arcs@gottpoff(%rip), %r11	/* a constant once it is linked into an executable */
	movq	%fs:(%r11), %r11
	testq	%r11, %r11
	jz	9f
	movq	8(%rsp), %rax
	shlq	$3, %rax
	addq	\from, %rax
	imulq	$HASH_FACTOR, %rax, %rax
	shrq	$HASH_SHIFT, %rax
	andq	TABLE_MASK(%r11), %rax
	addq	%rax, %r11
	movq	\from, %rax
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	COUNT_IN_SLOT \n, \from
	.endr
9:	leaq	bbp_no_arcs(%rip), %rax	/* every arc hashes to its only slot */
	cmpq	%rax, %r11
	je	8f
	.cfi_remember_state
	PUSH	rcx
	PUSH	rdx
	PUSH	rdi
	PUSH	rsi
	movq	\from_slow, %rdi
	movq	40(%rsp), %rsi
	leaq	bbp_arc_slow(%rip), %rax
	call	bbp_call_aligned
	POP	rsi
	POP	rdi
	POP	rdx
	POP	rcx
	POP	rax
	ret
	.cfi_restore_state
8:	POP	rax
	ret
	.endm

	.text

	.p2align 6
	.weak	mcount
	.type	mcount, @function
	.weak	_mcount
	.type	_mcount, @function
mcount:
_mcount:
	.cfi_startproc
	_CET_ENDBR
	COUNT_ARC 8(%rbp), 8(%rbp)
	.cfi_endproc
	.size	mcount, .-mcount
	.size	_mcount, .-_mcount

	.p2align 6
	.weak	__fentry__
	.type	__fentry__, @function
__fentry__:
	.cfi_startproc
	_CET_ENDBR
	COUNT_ARC 16(%rsp), 48(%rsp)
	.cfi_endproc
	.size	__fentry__, .-__fentry__

/* If slot N from r11 is the arc's, count there and return.  rax: FROM.  The saved registers are
   described below. */
	.macro	COUNT_INDIRECT_IN_SLOT n
	cmpq	%rax, TABLE_SLOTS+ARC_BYTES*\n+ARC_FROM(%r11)
	jne	2f
	movq	-16(%rsp), %rax
	cmpq	%rax, TABLE_SLOTS+ARC_BYTES*\n+ARC_SELF(%r11)
	jne	1f
	incq	TABLE_SLOTS+ARC_BYTES*\n+ARC_COUNT(%r11)
	movq	-8(%rsp), %rax
	movq	-16(%rsp), %r11
	ret
1:	movq	(%rsp), %rax
	btsq	$INDIRECT_BIT, %rax
2:
	.endm

/* On the fast path rax and the callee are saved below the stack pointer, where handlers do not
   write. */
	.p2align 6
	.globl	__bb_indirect_func
	.type	__bb_indirect_func, @function
	.globl	bbp_indirect	/* the library's, even if the public name is not */
	.hidden	bbp_indirect
__bb_indirect_func:
bbp_indirect:
	.cfi_startproc
	_CET_ENDBR
	movq	%rax, -8(%rsp)
	movq	%r11, -16(%rsp)
	leaq	(,%r11,8), %rax
	movq	bbp_arcs@gottpoff(%rip), %r11
	movq	%fs:(%r11), %r11
	testq	%r11, %r11
	jz	9f
	addq	(%rsp), %rax
	btcq	$INDIRECT_BIT, %rax	/* adds that bit */
	imulq	$HASH_FACTOR, %rax, %rax
	shrq	$HASH_SHIFT, %rax
	andq	TABLE_MASK(%r11), %rax
	addq	%rax, %r11
	movq	(%rsp), %rax
	btsq	$INDIRECT_BIT, %rax
	COUNT_INDIRECT_IN_SLOT 0
	COUNT_INDIRECT_IN_SLOT 1
	COUNT_INDIRECT_IN_SLOT 2
	COUNT_INDIRECT_IN_SLOT 3
9:	leaq	bbp_no_arcs(%rip), %rax
	cmpq	%rax, %r11
	jne	bbp_indirect_slow
8:	movq	-8(%rsp), %rax
	movq	-16(%rsp), %r11
	ret
	.size	__bb_indirect_func, .-__bb_indirect_func

/* If slot N from r10 is the arc's, go on at 5 with its address.  rax: FROM. */
	.macro	FIND_SLOT n
	cmpq	%rax, TABLE_SLOTS+ARC_BYTES*\n+ARC_FROM(%r10)
	jne	1f
	cmpq	%r11, TABLE_SLOTS+ARC_BYTES*\n+ARC_SELF(%r10)
	jne	1f
	addq	$TABLE_SLOTS+ARC_BYTES*\n, %r10
	jmp	5f
1:
	.endm

/* Each 64th call that comes here for a slot makes the callee's word of the call site lead to it.
   Code reads a word once, and a slot always keeps its arc, so a handler may change the word at any
   moment.  Behind the exchange the table is read once more; a stop of the process changes that
   before it clears all words (bbp_arcs_leave_sites), and a handler may have attached the thread to
   another table.  So no stopped thread has a word, and none leads to another thread's slot.

   The words are those of the table's thread where it counts, not in scraps: there they stay 0. */
	.p2align 6
	.globl	__bb_site_func
	.type	__bb_site_func, @function
__bb_site_func:
	_CET_ENDBR
	movq	%rax, -8(%rsp)
	leaq	(,%r11,8), %rax
	movq	bbp_arcs@gottpoff(%rip), %r10
	movq	%fs:(%r10), %r10
	testq	%r10, %r10
	jz	9f
	addq	(%rsp), %rax
	btcq	$INDIRECT_BIT, %rax
	imulq	$HASH_FACTOR, %rax, %rax
	shrq	$HASH_SHIFT, %rax
	andq	TABLE_MASK(%r10), %rax
	addq	%rax, %r10
	movq	(%rsp), %rax
	btsq	$INDIRECT_BIT, %rax
	FIND_SLOT 0
	FIND_SLOT 1
	FIND_SLOT 2
	FIND_SLOT 3
9:	leaq	bbp_no_arcs(%rip), %rax
	cmpq	%rax, %r10
	leaq	uncounted-ARC_COUNT(%rip), %r10
	je	8f
	subq	-8(%rsp), %r10
	movq	%r11, -16(%rsp)
	jmp	bbp_indirect_slow	/* which counts the call */
5:	testb	$63, ARC_COUNT(%r10)
	jz	6f
8:	movq	-8(%rsp), %rax
	subq	%rax, %r10
	ret
6:	movq	%r11, -16(%rsp)
	movq	%r10, -24(%rsp)
	movq	bbp_arcs@gottpoff(%rip), %rax
	movq	%fs:(%rax), %rax
	testq	%rax, %rax	/* another thread may have recalled this one */
	jz	7f
	/* A handler may have attached it to another table: then the slot is not this one's. */
	subq	%rax, %r10
	subq	$TABLE_SLOTS+3*ARC_BYTES, %r10
	jc	1f
	cmpq	TABLE_MASK(%rax), %r10
	ja	7f
1:	movq	-24(%rsp), %r10
	cmpq	%rax, %r10
	jb	7f
	movq	%rax, -32(%rsp)
	movq	TABLE_SITES(%rax), %rax
	testq	%rax, %rax
	jz	7f
	addq	-8(%rsp), %rax	/* the thread's words, plus 1 */
	shrl	$WORD_SHIFT, %r11d
	andl	$WORD_MASK, %r11d
	leaq	SITE_WORDS-1(%rax,%r11), %r11
	movq	%r11, ARC_SITE(%r10)
	subq	-8(%rsp), %r10
	xchgq	%r10, (%r11)
	movq	bbp_arcs@gottpoff(%rip), %rax
	movq	-32(%rsp), %r10
	cmpq	%r10, %fs:(%rax)
	je	7f
	movq	$0, (%r11)
7:	movq	-16(%rsp), %r11
	movq	-24(%rsp), %r10
	movq	-8(%rsp), %rax
	subq	%rax, %r10
	ret
	.size	__bb_site_func, .-__bb_site_func

	.globl	bbp_indirect_slow
	.hidden	bbp_indirect_slow
	.type	bbp_indirect_slow, @function
bbp_indirect_slow:		/* up to here the return address is where rsp points; bbp_arch_hook_caller */
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	PUSH	rcx
	PUSH	rdx
	PUSH	rdi
	PUSH	rsi
	movq	48(%rsp), %rdi
	btsq	$INDIRECT_BIT, %rdi
	movq	32(%rsp), %rsi
	leaq	bbp_arc_slow(%rip), %rax
	call	bbp_call_aligned
	POP	rsi
	POP	rdi
	POP	rdx
	POP	rcx
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	movq	-8(%rsp), %rax
	movq	-16(%rsp), %r11
	ret
	.cfi_endproc
	.size	bbp_indirect_slow, .-bbp_indirect_slow

/* Counts that belong to no arc. */
	.local	uncounted
	.comm	uncounted, 8, 8

	.p2align 4
	.globl	__bb_thread_func
	.type	__bb_thread_func, @function
__bb_thread_func:
	.cfi_startproc
	_CET_ENDBR
	PUSH	rax
	PUSH	rcx
	PUSH	rdx
	PUSH	rdi
	PUSH	rsi
	leaq	bbp_thread_attach_hook(%rip), %rax
	call	bbp_call_aligned
	POP	rsi
	POP	rdi
	POP	rdx
	POP	rcx
	POP	rax
	ret
	.cfi_endproc
	.size	__bb_thread_func, .-__bb_thread_func

/* Calls the C function in rax (arguments in rdi, rsi) on an aligned stack and with the direction
   flag clear; keeps r8, r9, r10, which together with what the callers above pushed are all
   general registers that C may change. */
	.p2align 4
	.globl	bbp_call_aligned
	.hidden	bbp_call_aligned
	.type	bbp_call_aligned, @function
bbp_call_aligned:
	.cfi_startproc
	PUSH	rbp
	movq	%rsp, %rbp
	.cfi_def_cfa_register rbp
	pushq	%r8
	.cfi_offset r8, -24
	pushq	%r9
	.cfi_offset r9, -32
	pushq	%r10
	.cfi_offset r10, -40
	andq	$-16, %rsp
	cld
	call	*%rax
	movq	-24(%rbp), %r10
	movq	-16(%rbp), %r9
	movq	-8(%rbp), %r8
	leave
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size	bbp_call_aligned, .-bbp_call_aligned

	.section .note.GNU-stack,"",@progbits
