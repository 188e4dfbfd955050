/* SPDX-License-Identifier: MIT */
/* Calls of functions with other registers or another stack (arch.h).  Context: any. */
#include "entry.h"

	.macro	EACH_VECTOR do
	.irp	n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
	\do	\n, %(\n + 1)
	.endr
	.endm

/* bbp_arch_keep_vectors (function, argument, area): calls FUNCTION (ARGUMENT), which may be one of
   libc's and use vector registers, and restores these.  They are kept in AREA
   (BBP_ARCH_VECTORS_BYTES), not on the stack, which may be a small signal stack. */
	.altmacro
	.macro	PUT a, b
	stp	q\a, q\b, [x19, #16*\a]
	.endm
	.macro	TAKE a, b
	ldp	q\a, q\b, [x19, #16*\a]
	.endm

	.globl	bbp_arch_keep_vectors
	.hidden	bbp_arch_keep_vectors
ENTRY bbp_arch_keep_vectors
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov	x29, sp
	str	x19, [sp, #16]
	.cfi_offset x19, -16
	add	x19, x2, #15
	and	x19, x19, #-16
	EACH_VECTOR PUT
	mrs	x9, fpcr
	mrs	x10, fpsr
	str	w9, [x19, #512]
	str	w10, [x19, #516]
	mov	x9, x0
	mov	x0, x1
	blr	x9
	ldr	w9, [x19, #512]
	ldr	w10, [x19, #516]
	msr	fpcr, x9
	msr	fpsr, x10
	EACH_VECTOR TAKE
	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
	.cfi_restore x19
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
END bbp_arch_keep_vectors

/* bbp_arch_call_on (top, function, argument): calls FUNCTION (ARGUMENT) on the stack that ends
   at TOP. */
	.globl	bbp_arch_call_on
	.hidden	bbp_arch_call_on
ENTRY bbp_arch_call_on
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	.cfi_def_cfa_register x29
	mov	sp, x0
	mov	x0, x2
	blr	x1
	mov	sp, x29
	.cfi_def_cfa_register sp
	ldp	x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
END bbp_arch_call_on
