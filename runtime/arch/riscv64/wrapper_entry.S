/* SPDX-License-Identifier: MIT */
/* bbp_wrapper (number, info, context), the handler wrapper (handler_wrapper.c): the handler that
   the kernel calls if the program has set one.  Calls that with the same arguments.  Kept
   meanwhile: a word of the wrapper's, and the two words of __bb, which code of the historic mode 2
   may just have stored (trace_historic.c).  Context: signal. */
#include "entry.h"

/* t0: the address of the thread's __bb. */
	.macro	FIND_HERE
	la.tls.ie	t0, __bb
	add	t0, t0, tp
	.endm

	.globl	bbp_wrapper
	.hidden	bbp_wrapper
ENTRY bbp_wrapper
	addi	sp, sp, -64
	.cfi_def_cfa_offset 64
	sd	ra, 56(sp)
	.cfi_offset ra, -8
	sd	s0, 48(sp)
	.cfi_offset s0, -16
	addi	s0, sp, 64
	sd	a0, 0(sp)
	sd	a1, 8(sp)
	sd	a2, 16(sp)
	mv	a1, a2
	.globl	bbp_wrapper_call
	.hidden	bbp_wrapper_call
bbp_wrapper_call:		/* up to here a2 holds the context; bbp_arch_wrapped_context */
	call	bbp_wrapper_enter	/* a0: the program's handler; a1: a word to be kept */
	mv	t1, a0
	sd	a1, 24(sp)
	FIND_HERE
	ld	t3, 0(t0)
	ld	t4, 8(t0)
	sd	t3, 32(sp)
	sd	t4, 40(sp)
	ld	a0, 0(sp)
	ld	a1, 8(sp)
	ld	a2, 16(sp)
	jalr	t1
	FIND_HERE
	ld	t3, 32(sp)
	ld	t4, 40(sp)
	sd	t3, 0(t0)
	sd	t4, 8(t0)
	ld	a0, 24(sp)
	ld	s0, 48(sp)
	.cfi_restore s0
	ld	ra, 56(sp)
	.cfi_restore ra
	addi	sp, sp, 64
	.cfi_def_cfa_offset 0
	tail	bbp_wrapper_leave
END bbp_wrapper
