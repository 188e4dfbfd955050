/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The six functions of trace points, and a __bb whose value means that everything is recorded,
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
points:	.zero	8 * 6

	.text
/* Function NAME, number N, is given an address in r11 that is not 0. */
	.macro	POINT name, n
	.globl	\name
	.type	\name, @function
\name:	testq	%r11, %r11
	je	1f
	incq	points+8*\n(%rip)
	movq	$-1, %r11
	addq	$1, %r11
	ret
1:	ud2
	.size	\name, .-\name
	.endm

	POINT	__bb_enter_func, 0
	POINT	__bb_land_func, 1
	POINT	__bb_return_func, 2
	POINT	__bb_token_func, 3
	POINT	__bb_jump_func, 4

	.globl	__bb_bits_func
	.type	__bb_bits_func, @function
__bb_bits_func:
	incq	points+8*5(%rip)
	movq	__bb@gottpoff(%rip), %r11
	movq	$1, %fs:16(%r11)
	movq	$-1, %r11
	addq	$1, %r11
	ret
	.size	__bb_bits_func, .-__bb_bits_func
	.section .note.GNU-stack,"",@progbits
