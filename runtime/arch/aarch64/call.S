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
   (BBP_ARCH_VECTORS_BYTES), not on the stack, which may be a small signal stack.  Where there is
   SVE, the kernel's own frames have its registers, so signal stacks have room for them, too. */
	.altmacro
	.macro	PUT a, b
	stp	q\a, q\b, [x19, #16*\a]
	.endm
	.macro	TAKE a, b
	ldp	q\a, q\b, [x19, #16*\a]
	.endm
	.macro	PUT_SCALABLE a, b	/* behind the predicates */
	str	z\a, [sp, #\a+3, mul vl]
	str	z\b, [sp, #\b+3, mul vl]
	.endm
	.macro	TAKE_SCALABLE a, b
	ldr	z\a, [sp, #\a+3, mul vl]
	ldr	z\b, [sp, #\b+3, mul vl]
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
	mov	x16, x0
	mov	x0, x1
	bl	bbp_keep_scalable
	ldr	w9, [x19, #512]
	ldr	w10, [x19, #516]
	msr	fpcr, x9
	msr	fpsr, x10
	adrp	x9, bbp_scalable
	ldrb	w9, [x9, :lo12:bbp_scalable]
	tbnz	w9, #1, 1f	/* the registers of SVE contain them */
	EACH_VECTOR TAKE
1:	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
	.cfi_restore x19
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
END bbp_arch_keep_vectors

/* Does the processor have SVE?  0: unknown; 1: no; 2: yes.  Writers: all threads, the same
   value. */
	.local	bbp_scalable
	.comm	bbp_scalable, 1
#define AT_HWCAP 16
#define HWCAP_SVE 22 /* the number of the bit */

/* Calls the function in x16 with the arguments in x0 to x7, and restores the registers of SVE, if
   there are any: a system call may change what they have beyond the vector registers. */
	.arch_extension sve
	.globl	bbp_keep_scalable
	.hidden	bbp_keep_scalable
ENTRY bbp_keep_scalable
	adrp	x17, bbp_scalable
	ldrb	w17, [x17, :lo12:bbp_scalable]
	cbz	w17, 3f
	tbnz	w17, #1, 1f
	br	x16
1:	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	.cfi_def_cfa_register x29
	addvl	sp, sp, #-32
	addvl	sp, sp, #-3
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	str	p\n, [sp, #\n, mul vl]
	.endr
	rdffr	p0.b
	str	p0, [sp, #16, mul vl]
	EACH_VECTOR PUT_SCALABLE
	blr	x16
	EACH_VECTOR TAKE_SCALABLE
	ldr	p0, [sp, #16, mul vl]
	wrffr	p0.b
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	ldr	p\n, [sp, #\n, mul vl]
	.endr
	mov	sp, x29
	.cfi_def_cfa_register sp
	ldp	x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
3:	stp	x29, x30, [sp, #-96]!
	.cfi_def_cfa_offset 96
	.cfi_offset x29, -96
	.cfi_offset x30, -88
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	str	x16, [sp, #80]
	mov	x0, #AT_HWCAP
	bl	getauxval
	ubfx	w0, w0, #HWCAP_SVE, #1
	add	w0, w0, #1
	adrp	x17, bbp_scalable
	strb	w0, [x17, :lo12:bbp_scalable]
	ldr	x16, [sp, #80]
	ldp	x6, x7, [sp, #64]
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #96
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	b	bbp_keep_scalable
END bbp_keep_scalable

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
