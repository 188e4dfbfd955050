/* SPDX-License-Identifier: MIT */
/* For assembler: push a register, with call frame information. */
	.macro	PUSH reg
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset \reg, 0
	.endm

	.macro	POP reg
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.cfi_restore \reg
	.endm
