// SPDX-License-Identifier: GPL-3.0-or-later
/* The registers of riscv64 for registers.c.  VECTOR: with those of the extension v, of 32 bytes.

   The state: x0 to x31, of which x0 to x4 have other values; f0 to f31; fcsr; then v0 to v31, vl,
   vtype, vcsr. */
#define FLOATS 256
#define FCSR 512
#define VECTORS 520
#define VECTOR_BYTES 32
#define CONTROL (VECTORS + 32 * VECTOR_BYTES)
#ifdef VECTOR
#define BYTES (CONTROL + 24)
	.option	arch, +v
#else
#define BYTES VECTORS
#endif

	.macro	EACH_GENERAL do
	.irp	n, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, \
	  28, 29, 30, 31
	\do	x\n, 8*\n(a0)
	.endr
	.endm

	.macro	EACH_FLOAT do
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
	  23, 24, 25, 26, 27, 28, 29, 30, 31
	\do	f\n, FLOATS+8*\n(a0)
	.endr
	.endm

#ifdef VECTOR
	.macro	EACH_VECTOR do
	addi	a1, a0, VECTORS
	.irp	n, 0, 8, 16, 24
	\do	v\n, (a1)
	addi	a1, a1, 8*VECTOR_BYTES
	.endr
	.endm
#endif

	.macro	EACH_KEPT do
	\do	s0, 0(sp)
	\do	s1, 8(sp)
	\do	s2, 16(sp)
	\do	s3, 24(sp)
	\do	s4, 32(sp)
	\do	s5, 40(sp)
	\do	s6, 48(sp)
	\do	s7, 56(sp)
	\do	s8, 64(sp)
	\do	s9, 72(sp)
	\do	s10, 80(sp)
	\do	s11, 88(sp)
	\do	ra, 96(sp)
	.endm

	.macro	EACH_KEPT_FLOAT do
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\do	fs\n, 104+8*\n(sp)
	.endr
	.endm

/* Loads the state at a0, calls FUNCTION, behind which an address stands if OPERAND is 1, and stores
   the state at a1. */
	.macro	PASS function, operand=1
	.type	pass_\function, %function
pass_\function:
	addi	sp, sp, -224
	EACH_KEPT sd
	EACH_KEPT_FLOAT fsd
	sd	a1, 200(sp)
	EACH_FLOAT fld
	ld	a1, FCSR(a0)
	fscsr	a1
#ifdef VECTOR
	EACH_VECTOR vl8re8.v
	ld	a1, CONTROL+16(a0)
	csrw	vcsr, a1
	ld	a1, CONTROL(a0)
	ld	a2, CONTROL+8(a0)
	vsetvl	zero, a1, a2
#endif
2:	auipc	ra, %got_pcrel_hi(\function)
	ld	ra, %pcrel_lo(2b)(ra)
	EACH_GENERAL ld
	ld	a0, 80(a0)
	jalr	ra
	.if \operand
	.4byte	registers_end-.
	.endif
	sd	a0, 208(sp)
	ld	a0, 200(sp)
	EACH_GENERAL sd
	ld	a1, 208(sp)
	sd	a1, 80(a0)
	EACH_FLOAT fsd
	frcsr	a1
	sd	a1, FCSR(a0)
#ifdef VECTOR
	csrr	a1, vl
	sd	a1, CONTROL(a0)
	csrr	a1, vtype
	sd	a1, CONTROL+8(a0)
	csrr	a1, vcsr
	sd	a1, CONTROL+16(a0)
	EACH_VECTOR vs8r.v
#endif
	fscsr	zero
	EACH_KEPT_FLOAT fld
	EACH_KEPT ld
	addi	sp, sp, 224
	ret
	.pushsection .rodata
3:	.asciz	"\function"
	.popsection
	.pushsection .data.rel, "aw"
	.quad	pass_\function, 3b
	.popsection
	.endm

	.pushsection .data.rel, "aw"
	.balign	8
	.globl	passes
passes:
	.popsection

	.text
	.option	norelax
	PASS	__bb_enter_func
	PASS	__bb_land_func
	PASS	__bb_return_func
	PASS	__bb_token_func
	PASS	__bb_jump_func
	PASS	__bb_zero_func, 0
	PASS	__bb_one_func, 0
	PASS	__bb_init_trace_func, 0
	PASS	__bb_trace_func, 0
	PASS	__bb_trace_ret, 0
registers_end:

/* vl and vtype have values that vsetvl takes: 5 elements of 16 bits. */
	.globl	state_begin
	.type	state_begin, %function
state_begin:
#ifdef VECTOR
	li	a1, 5
	sd	a1, CONTROL(a0)
	li	a1, 8
	sd	a1, CONTROL+8(a0)
#endif
	ret

	.section .data.rel, "aw"
	.quad	0, 0

	.section .rodata
	.balign	8
	.globl	state_bytes
state_bytes:
	.quad	BYTES
	.globl	state_arguments
state_arguments:
	.quad	80
	.globl	state_mask
state_mask:
	.fill	40, 1, 0
	.fill	FCSR-40, 1, 0xff
	.byte	0x1f, 0, 0, 0, 0, 0, 0, 0	/* the exceptions */
#ifdef VECTOR
	.fill	CONTROL-VECTORS, 1, 0xff
	.fill	16, 1, 0xff			/* vl, vtype */
	.byte	7, 0, 0, 0, 0, 0, 0, 0		/* rounding, saturation */
#endif
	.section .note.GNU-stack, "", %progbits
