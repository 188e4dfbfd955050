/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of trace points, and a __bb whose value means that everything is recorded,
   in place of the library's: they change every register that they may change, check their
   arguments, and count. */
	.section .tdata,"awT",@progbits
	.balign	8
	.globl	__bb
	.type	__bb, @object
	.size	__bb, 48
__bb:	.quad	0, 0, 1, 3, 0, 0

	.bss
	.balign	8
	.globl	points
points:	.zero	8 * 6 /* the last: of bits */

	.text
/* Function NAME, number N, called as CHECK expects. */
	.macro	POINT name, n, check
	.globl	\name
	.type	\name, @function
\name:	\check
	incq	points+8*\n(%rip)
	pushq	$-1
	addq	$1, (%rsp)	/* sets all flags that arithmetic sets */
	leaq	8(%rsp), %rsp
	ret
1:	ud2
	.size	\name, .-\name
	.endm

	.macro	ADDRESS_IN_REGISTER
	testq	%r11, %r11
	je	1f
	movq	$-1, %r11
	.endm

/* Behind the call stands an instruction with the address. */
	.macro	ADDRESS_BEHIND
	pushq	%rax
	movq	8(%rsp), %rax
	cmpb	$0xa9, (%rax)
	popq	%rax
	jne	1f
	.endm

	.macro	NO_ADDRESS
	.endm

	POINT	__bb_enter_func, 0, ADDRESS_IN_REGISTER
	POINT	__bb_land_func, 1, ADDRESS_BEHIND
	POINT	__bb_return_func, 2, ADDRESS_BEHIND
	POINT	__bb_token_func, 3, ADDRESS_BEHIND
	POINT	__bb_jump_func, 4, ADDRESS_BEHIND
	POINT	__bb_zero_func, 5, NO_ADDRESS
	POINT	__bb_one_func, 5, NO_ADDRESS
	POINT	__bb_full_func, 5, NO_ADDRESS
	.section .note.GNU-stack,"",@progbits
