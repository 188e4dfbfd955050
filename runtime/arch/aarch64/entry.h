/* SPDX-License-Identifier: MIT */
/* For assembler: the begin of functions that may be called through a pointer, and the note that the
   file may be linked into a program with protected branches (its GNU property: BTI and PAC). */
	.macro	ENTRY name
	.p2align 4
	.type	\name, %function
\name:
	.cfi_startproc
	hint	#34		/* bti c */
	.endm

	.macro	END name
	.cfi_endproc
	.size	\name, .-\name
	.endm

	.pushsection .note.gnu.property, "a", %note
	.balign	8
	.word	4, 16, 5	/* sizes; NT_GNU_PROPERTY_TYPE_0 */
	.asciz	"GNU"
	.word	0xc0000000, 4, 3, 0
	.popsection

	.section .note.GNU-stack, "", %progbits
	.text
