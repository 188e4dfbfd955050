/* SPDX-License-Identifier: MIT */
/* For tracepoints.S: the fast paths of trace points, without C.  Conditions: jumps are counted and
   nothing is traced, no variant needs the caller, and the stack pointer is below the thread's bound
   (levels.c).  They probe the slot of the thread's arc table that the jump hashes to, and the next
   three, as mcount does for calls.  Otherwise the code continues behind the macro, where a C
   function is called, with all registers restored.  Registers are saved below the stack pointer,
   where handlers do not write, so the return address stays at the stack pointer
   (bbp_arch_hook_caller). */

#define HERE_BLOCKNO 0 /* offsetof (struct bbp_here, blockno) */
#define HERE_MODE 24
#define HERE_SOURCE 32
#define MODE_JUMPS 2
#define MODE_JUMPS_ONLY 50 /* with the bits of window and selection */
#define MODE_CHOICES 32
#define CHOICE_HIDDEN 2
#define LEVELS_BOUND 0 /* offsetof (struct bbp_levels, bound) */
#define LEVELS_WHERE 8
#define LEVELS_BACK 16
#define JUMP_BIT 61 /* BBP_ARC_JUMP */

/* rax: the thread's __bb already; rcx: its bbp_levels. */
	.macro	BEGIN
	movq	%rcx, -16(%rsp)
	movq	%rdx, -24(%rsp)
	movq	bbp_levels@gottpoff(%rip), %rcx
	.endm

	.macro	END
	movq	-24(%rsp), %rdx
	movq	-16(%rsp), %rcx
	.endm

	.macro	LEAVE
	END
	movq	-8(%rsp), %rax
	movq	-R11_KEPT(%rsp), %r11
	ret
	.endm

/* To 9: something is traced. */
	.macro	NEED_JUMPS_ONLY
	testb	$~MODE_JUMPS_ONLY & 0xff, %fs:HERE_MODE(%rax)
	jnz	9f
	.endm

/* To 9: the stack pointer is not below the bound. */
	.macro	NEED_BELOW
	leaq	8(%rsp), %rdx
	cmpq	%fs:LEVELS_BOUND(%rcx), %rdx
	jae	9f
	.endm

/* If slot N of the table at rdx holds the jump from rcx to r11: count the jump, and return. */
	.macro	COUNT_JUMP_IN_SLOT n
	cmpq	%rcx, TABLE_SLOTS+ARC_BYTES*\n+ARC_FROM(%rdx)
	jne	1f
	cmpq	%r11, TABLE_SLOTS+ARC_BYTES*\n+ARC_SELF(%rdx)
	jne	1f
	incq	TABLE_SLOTS+ARC_BYTES*\n+ARC_COUNT(%rdx)
	movq	__bb@gottpoff(%rip), %rax
	movq	%r11, %fs:HERE_SOURCE(%rax)
	LEAVE
1:
	.endm

/* Count the jump from the current source to the block in r11, which becomes the source; to 9 if it
   is in none of those slots. */
	.macro	COUNT_JUMP
	movq	%fs:HERE_SOURCE(%rax), %rcx
	btsq	$JUMP_BIT, %rcx
	movq	bbp_arcs@gottpoff(%rip), %rdx
	movq	%fs:(%rdx), %rdx
	testq	%rdx, %rdx
	jz	9f
	leaq	(%rcx,%r11,8), %rax
	imulq	$HASH_FACTOR, %rax, %rax
	shrq	$HASH_SHIFT, %rax
	andq	TABLE_MASK(%rdx), %rax
	addq	%rax, %rdx
	COUNT_JUMP_IN_SLOT 0
	COUNT_JUMP_IN_SLOT 1
	COUNT_JUMP_IN_SLOT 2
	COUNT_JUMP_IN_SLOT 3
	.endm

/* Likewise if jumps are counted; else return: only the window is watched. */
	.macro	COUNT_JUMP_IF_ANY
	testb	$MODE_JUMPS, %fs:HERE_MODE(%rax)
	jnz	3f
	LEAVE
3:	COUNT_JUMP
	.endm

/* The four trace points. */

	.macro	ENTER_QUICKLY
	BEGIN
	NEED_JUMPS_ONLY
	NEED_BELOW
	movq	%fs:LEVELS_WHERE(%rcx), %rdx	/* the call that is there has not returned unnoticed */
	movq	(%rdx), %rdx
	cmpq	%fs:LEVELS_BACK(%rcx), %rdx
	jne	9f
	cmpb	$0, %fs:HERE_MODE(%rax)
	je	9f
	testb	$MODE_CHOICES, %fs:HERE_MODE(%rax)
	jz	2f
	movq	%fs:HERE_BLOCKNO(%rax), %rdx
	testb	$CHOICE_HIDDEN, (%rdx)
	jnz	9f
2:	COUNT_JUMP_IF_ANY
9:	END
	.endm

	.macro	LAND_QUICKLY
	BEGIN
	NEED_JUMPS_ONLY
	NEED_BELOW
	COUNT_JUMP_IF_ANY
9:	END
	.endm

	.macro	RETURN_QUICKLY
	BEGIN
	NEED_JUMPS_ONLY
	NEED_BELOW
	LEAVE
9:	END
	.endm

/* Also while control flow is traced, perhaps without jumps. */
	.macro	JUMP_QUICKLY
	BEGIN
	testb	$MODE_JUMPS, %fs:HERE_MODE(%rax)
	jnz	3f
	LEAVE
3:	cmpq	$0, %fs:LEVELS_BOUND(%rcx)
	je	9f
	COUNT_JUMP
9:	END
	.endm

	.macro	NOT_QUICKLY
	.endm
