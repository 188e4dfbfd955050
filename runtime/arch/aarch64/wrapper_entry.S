/* SPDX-License-Identifier: MIT */
/* bbp_wrapper (number, info, context), the handler wrapper (handler_wrapper.c): the handler that
   the kernel calls if the program has set one.  Calls that with the same arguments.  Kept
   meanwhile: a word of the wrapper's, and the two words of __bb, which code of the historic mode 2
   may just have stored (trace_historic.c).  Context: signal. */
#include "entry.h"

/* x9: the address of the thread's __bb. */
	.macro	FIND_HERE
	mrs	x10, tpidr_el0
	adrp	x9, :gottprel:__bb
	ldr	x9, [x9, #:gottprel_lo12:__bb]
	add	x9, x9, x10
	.endm

	.globl	bbp_wrapper
	.hidden	bbp_wrapper
ENTRY bbp_wrapper
	stp	x29, x30, [sp, #-64]!
	.cfi_def_cfa_offset 64
	.cfi_offset x29, -64
	.cfi_offset x30, -56
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	str	x2, [sp, #32]
	mov	x1, x2
	.globl	bbp_wrapper_call
	.hidden	bbp_wrapper_call
bbp_wrapper_call:		/* up to here x2 holds the context; bbp_arch_wrapped_context */
	bl	bbp_wrapper_enter	/* x0: the program's handler; x1: a word to be kept */
	mov	x16, x0
	str	x1, [sp, #40]
	FIND_HERE
	ldp	x10, x11, [x9]
	stp	x10, x11, [sp, #48]
	ldp	x0, x1, [sp, #16]
	ldr	x2, [sp, #32]
	blr	x16
	FIND_HERE
	ldp	x10, x11, [sp, #48]
	stp	x10, x11, [x9]
	ldr	x0, [sp, #40]
	ldp	x29, x30, [sp], #64
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	b	bbp_wrapper_leave
END bbp_wrapper
