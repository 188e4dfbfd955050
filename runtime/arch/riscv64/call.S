/* SPDX-License-Identifier: MIT */
/* Calls of functions with other registers or another stack (arch.h).  Context: any. */
#include "entry.h"

	.macro	EACH_REGISTER do
	.set	offset, 0
	.irp	n, ft0, ft1, ft2, ft3, ft4, ft5, ft6, ft7, fs0, fs1, fa0, fa1, fa2, fa3, fa4, fa5
	\do	\n, offset(s1)
	.set	offset, offset + 8
	.endr
	.irp	n, fa6, fa7, fs2, fs3, fs4, fs5, fs6, fs7, fs8, fs9, fs10, fs11, ft8, ft9, ft10, ft11
	\do	\n, offset(s1)
	.set	offset, offset + 8
	.endr
	.endm

/* bbp_arch_keep_vectors (function, argument, area): calls FUNCTION (ARGUMENT), which may be one of
   libc's and use floating-point registers, and restores these.  They are kept in AREA
   (BBP_ARCH_VECTORS_BYTES), not on the stack, which may be a small signal stack.  Vector registers
   hold nothing there that a call would keep. */
	.globl	bbp_arch_keep_vectors
	.hidden	bbp_arch_keep_vectors
ENTRY bbp_arch_keep_vectors
	addi	sp, sp, -32
	.cfi_def_cfa_offset 32
	sd	ra, 24(sp)
	.cfi_offset ra, -8
	sd	s0, 16(sp)
	.cfi_offset s0, -16
	sd	s1, 8(sp)
	.cfi_offset s1, -24
	addi	s0, sp, 32
	mv	s1, a2
	EACH_REGISTER fsd
	frcsr	t0
	sw	t0, 256(s1)
	mv	t1, a0
	mv	a0, a1
	jalr	t1
	lw	t0, 256(s1)
	fscsr	t0
	EACH_REGISTER fld
	ld	s1, 8(sp)
	.cfi_restore s1
	ld	s0, 16(sp)
	.cfi_restore s0
	ld	ra, 24(sp)
	.cfi_restore ra
	addi	sp, sp, 32
	.cfi_def_cfa_offset 0
	ret
END bbp_arch_keep_vectors

/* bbp_arch_call_on (top, function, argument): calls FUNCTION (ARGUMENT) on the stack that ends
   at TOP. */
	.globl	bbp_arch_call_on
	.hidden	bbp_arch_call_on
ENTRY bbp_arch_call_on
	addi	sp, sp, -16
	.cfi_def_cfa_offset 16
	sd	ra, 8(sp)
	.cfi_offset ra, -8
	sd	s0, 0(sp)
	.cfi_offset s0, -16
	addi	s0, sp, 16
	.cfi_def_cfa s0, 0
	mv	sp, a0
	mv	a0, a2
	jalr	a1
	addi	sp, s0, -16
	.cfi_def_cfa sp, 16
	ld	s0, 0(sp)
	.cfi_restore s0
	ld	ra, 8(sp)
	.cfi_restore ra
	addi	sp, sp, 16
	.cfi_def_cfa_offset 0
	ret
END bbp_arch_call_on
