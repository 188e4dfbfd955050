/* SPDX-License-Identifier: MIT */
/* For assembler: saves and restores the state of the code that calls a hook. */

/* Save all general registers that C may change. */
	.macro	EACH_SAVED do
	\do	t1, 0(sp)
	\do	t2, 8(sp)
	\do	t3, 16(sp)
	\do	t4, 24(sp)
	\do	t5, 32(sp)
	\do	t6, 40(sp)
	\do	a0, 48(sp)
	\do	a1, 56(sp)
	\do	a2, 64(sp)
	\do	a3, 72(sp)
	\do	a4, 80(sp)
	\do	a5, 88(sp)
	\do	a6, 96(sp)
	\do	a7, 104(sp)
	\do	t0, 112(sp)
	\do	s0, 128(sp)
	\do	ra, 136(sp)
	.endm

	.macro	SAVE
	addi	sp, sp, -144
	.cfi_adjust_cfa_offset 144
	EACH_SAVED sd
	.cfi_rel_offset t0, 112
	.cfi_rel_offset s0, 128
	.cfi_rel_offset ra, 136
	addi	s0, sp, 144
	.endm

	.macro	RESTORE
	EACH_SAVED ld
	.cfi_restore t0
	.cfi_restore s0
	.cfi_restore ra
	addi	sp, sp, 144
	.cfi_adjust_cfa_offset -144
	.endm

#define KEPT_CALLER 120 /* a free word */

/* There are no flags. */
	.macro	MACHINE_STATE_SAVE
	SAVE
	.endm

	.macro	MACHINE_STATE_RESTORE
	RESTORE
	.endm
