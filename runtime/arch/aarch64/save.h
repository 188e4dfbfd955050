/* SPDX-License-Identifier: MIT */
/* For assembler: saves and restores the state of the code that calls a hook. */

/* Save all general registers that C may change. */
	.macro	SAVE
	stp	x29, x30, [sp, #-176]!
	.cfi_adjust_cfa_offset 176
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	stp	x8, x9, [sp, #80]
	.cfi_rel_offset x9, 88
	stp	x10, x11, [sp, #96]
	stp	x12, x13, [sp, #112]
	stp	x14, x15, [sp, #128]
	stp	x16, x17, [sp, #144]
	str	x18, [sp, #160]
	.endm

	.macro	RESTORE
	ldr	x18, [sp, #160]
	ldp	x16, x17, [sp, #144]
	ldp	x14, x15, [sp, #128]
	ldp	x12, x13, [sp, #112]
	ldp	x10, x11, [sp, #96]
	ldp	x8, x9, [sp, #80]
	.cfi_restore x9
	ldp	x6, x7, [sp, #64]
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #176
	.cfi_restore x29
	.cfi_restore x30
	.cfi_adjust_cfa_offset -176
	.endm

#define SAVED 176 /* bytes of the above, from x29 on */
#define SAVED_X9 88

/* The same and the flags, with a free word above them, KEPT_CALLER.  bbp_keep_scalable calls C in
   between, so nothing of SVE is lost. */
	.macro	MACHINE_STATE_SAVE
	SAVE
	mrs	x9, nzcv
	str	x9, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.endm

	.macro	MACHINE_STATE_RESTORE
	ldr	x9, [sp], #16
	.cfi_adjust_cfa_offset -16
	msr	nzcv, x9
	RESTORE
	.endm

#define KEPT_CALLER 8
