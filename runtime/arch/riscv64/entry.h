/* SPDX-License-Identifier: MIT */
/* For assembler: the begin and the end of functions. */
	.macro	ENTRY name
	.p2align 4
	.type	\name, %function
\name:
	.cfi_startproc
	.endm

	.macro	END name
	.cfi_endproc
	.size	\name, .-\name
	.endm

/* TO = the address that the global offset table has for NAME. */
	.macro	FROM_TABLE to, name
.Ltable\@:
	auipc	\to, %got_pcrel_hi(\name)
	ld	\to, %pcrel_lo(.Ltable\@)(\to)
	.endm

	.section .note.GNU-stack, "", %progbits
	.text
