// SPDX-License-Identifier: GPL-3.0-or-later
/* The registers of aarch64 for registers.c.  SVE: with its registers; else with vector registers.

   The state: x0 to x29, a free word, the flags, fpsr, a free word; then 32 vector registers; with
   SVE instead, for vectors of 64 bytes at most: z0 to z31, p0 to p15, the FFR. */
#define FLAGS 248
#define FPSR 256
#define VECTORS 272
#define VECTOR_BYTES 64
#define PREDICATES (VECTORS + 32 * VECTOR_BYTES)
#ifdef SVE
#define BYTES (PREDICATES + 17 * VECTOR_BYTES / 8)
	.arch_extension sve
#else
#define BYTES (VECTORS + 32 * 16)
#endif

	.macro	EACH_GENERAL do
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, \
	  24, 25, 26, 27, 28, 29
	\do	x\n, [x0, #8*\n]
	.endr
	.endm

/* The vector registers, to or from the state at x0; x1 to x3 change. */
	.macro	EACH_VECTOR do
	add	x1, x0, #VECTORS
#ifdef SVE
	mov	x2, #VECTOR_BYTES
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
	  23, 24, 25, 26, 27, 28, 29, 30, 31
	\do	z\n, [x1]
	add	x1, x1, x2
	.endr
#else
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
	  23, 24, 25, 26, 27, 28, 29, 30, 31
	\do	q\n, [x1], #16
	.endr
#endif
	.endm

#ifdef SVE
	.macro	EACH_PREDICATE do
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	\do	p\n, [x1]
	add	x1, x1, #VECTOR_BYTES/8
	.endr
	.endm
#endif

/* Loads the state at x0, calls FUNCTION, behind which an address stands if OPERAND is 1, and stores
   the state at x1. */
	.macro	PASS function, operand=1
	.type	pass_\function, %function
pass_\function:
	stp	x29, x30, [sp, #-192]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	stp	d8, d9, [sp, #96]
	stp	d10, d11, [sp, #112]
	stp	d12, d13, [sp, #128]
	stp	d14, d15, [sp, #144]
	stp	x1, x18, [sp, #160]
	EACH_VECTOR ldr
#ifdef SVE
	add	x1, x0, #PREDICATES
	add	x2, x1, #16*VECTOR_BYTES/8
	ldr	p0, [x2]
	wrffr	p0.b
	EACH_PREDICATE ldr
#endif
	ldr	x1, [x0, #FLAGS]
	msr	nzcv, x1
	ldr	x1, [x0, #FPSR]
	msr	fpsr, x1
	adrp	x30, :got:\function
	ldr	x30, [x30, #:got_lo12:\function]
	EACH_GENERAL ldr
	ldr	x0, [x0]
	blr	x30
	.if \operand
	.word	registers_end-.
	.endif
	str	x0, [sp, #176]
	ldr	x0, [sp, #160]
	EACH_GENERAL str
	ldr	x1, [sp, #176]
	str	x1, [x0]
	mrs	x1, nzcv
	str	x1, [x0, #FLAGS]
	mrs	x1, fpsr
	str	x1, [x0, #FPSR]
	EACH_VECTOR str
#ifdef SVE
	add	x1, x0, #PREDICATES
	add	x2, x1, #16*VECTOR_BYTES/8
	EACH_PREDICATE str
	rdffr	p0.b
	str	p0, [x2]
#endif
	msr	fpsr, xzr
	ldp	d14, d15, [sp, #144]
	ldp	d12, d13, [sp, #128]
	ldp	d10, d11, [sp, #112]
	ldp	d8, d9, [sp, #96]
	ldp	x27, x28, [sp, #80]
	ldp	x25, x26, [sp, #64]
	ldp	x23, x24, [sp, #48]
	ldp	x21, x22, [sp, #32]
	ldp	x19, x20, [sp, #16]
	ldr	x18, [sp, #168]
	ldp	x29, x30, [sp], #192
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

/* The FFR has ones in its lower elements only. */
	.globl	state_begin
	.type	state_begin, %function
state_begin:
#ifdef SVE
	mov	x1, #0xfff
	str	x1, [x0, #PREDICATES+16*VECTOR_BYTES/8]
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
	.quad	0
	.globl	state_mask
state_mask:
	.fill	240, 1, 0xff
	.quad	0
	.byte	0, 0, 0, 0xf0, 0, 0, 0, 0	/* N, Z, C, V */
	.byte	0x9f, 0, 0, 0x08, 0, 0, 0, 0	/* the exceptions, and saturation */
	.quad	0
	.fill	BYTES-VECTORS, 1, 0xff
	.section .note.GNU-stack, "", %progbits
