/* SPDX-License-Identifier: MIT */
/* The functions that trace points call (bbprof-abi.h).  All registers and flags survive, except for
   the link register.  Context: hot.  Only bits need no C code.

   Where a function gets an address, its distance stands behind the call; the function returns
   behind that.  x30 is the return address of the call wherever bbp_point_caller does not say where
   the thread is (bbp_arch_hook_caller). */
#include "entry.h"
#include "save.h"

#define HERE_BITS 16 /* struct bbp_here; trace.c asserts these offsets */
#define HERE_MODE 24
#define MODE_TRACE_BIT 0 /* number of the bit */

/* TO = address of the thread-local NAME; HELP changes. */
	.macro	OF_THREAD to, help, name
	mrs	\help, tpidr_el0
	adrp	\to, :gottprel:\name
	ldr	\to, [\to, #:gottprel_lo12:\name]
	add	\to, \to, \help
	.endm

/* Call FUNCTION (x0, x1) with all registers saved.  bbp_point_caller shows handlers that C code
   runs for a point: the return address less BACK. */
	.macro	CALL_POINT function, back
	OF_THREAD x10, x11, bbp_point_caller
	ldr	x11, [x10]
	str	x11, [sp, #KEPT_CALLER]
	sub	x11, x30, #\back
	str	x11, [x10]
	adrp	x16, \function
	add	x16, x16, :lo12:\function
	bl	bbp_keep_scalable
	ldr	x30, [x29, #8]
	OF_THREAD x10, x11, bbp_point_caller
	ldr	x11, [sp, #KEPT_CALLER]
	str	x11, [x10]
	.endm

/* FUNCTION (address, stack pointer of the point). */
	.macro	POINT name, function
	.globl	\name
ENTRY \name
	MACHINE_STATE_SAVE
	ldrsw	x0, [x30]
	add	x0, x0, x30
	add	x1, x29, #SAVED
	CALL_POINT \function, 0
	MACHINE_STATE_RESTORE
	add	x30, x30, #4
	ret
END \name
	.endm

/* At an entry the return address, which is in x9, is stored below the stack pointer, as if the call
   had pushed it. */
	.macro	ENTRY_POINT name, function
	.globl	\name
ENTRY \name
	MACHINE_STATE_SAVE
	ldrsw	x0, [x30]
	add	x0, x0, x30
	ldr	x9, [x29, #SAVED_X9]
	str	x9, [x29, #SAVED-8]
	add	x1, x29, #SAVED-8
	CALL_POINT \function, 0
	MACHINE_STATE_RESTORE
	add	x30, x30, #4
	ret
END \name
	.endm

	.macro	RESTORE_SOME
	ldp	x11, x12, [sp, #16]
	ldp	x9, x10, [sp], #32
	.cfi_def_cfa_offset 0
	.endm

/* A thread at PUSHED has recorded the bit if w12 is 0; before that it has not. */
	.macro	BIT_POINT name, pushed, set
	.globl	\name
ENTRY \name
	stp	x9, x10, [sp, #-32]!
	.cfi_def_cfa_offset 32
	stp	x11, x12, [sp, #16]
	OF_THREAD x9, x10, __bb
	ldr	x10, [x9, #HERE_MODE]
	tbz	x10, #MODE_TRACE_BIT, 2f
	add	x9, x9, #HERE_BITS
1:	ldxr	x10, [x9]
	lsl	x11, x10, #1
	\set
	stxr	w12, x11, [x9]
\pushed:
	cbnz	w12, 1b
	tbnz	x10, #63, .Lfull
2:	RESTORE_SOME
	ret
END \name
	.endm

	.macro	SET_BIT
	orr	x11, x11, #1
	.endm

	.macro	CLEAR_BIT
	.endm

	.globl	bbp_points, bbp_zero, bbp_zero_pushed, bbp_one, bbp_one_pushed, bbp_points_full
	.hidden	bbp_points, bbp_zero, bbp_zero_pushed, bbp_one, bbp_one_pushed, bbp_points_full
bbp_points:
	ENTRY_POINT __bb_enter_func, bbp_point_enter
	POINT	__bb_land_func, bbp_point_land
	POINT	__bb_return_func, bbp_point_return
	POINT	__bb_token_func, bbp_point_token
	POINT	__bb_jump_func, bbp_point_jump
bbp_zero:
	BIT_POINT __bb_zero_func, bbp_zero_pushed, CLEAR_BIT
bbp_one:
	BIT_POINT __bb_one_func, bbp_one_pushed, SET_BIT

/* Continues there where a word of bits is full. */
	.cfi_startproc
	.cfi_def_cfa_offset 32
bbp_points_full:
.Lfull:
	RESTORE_SOME
	MACHINE_STATE_SAVE
	CALL_POINT bbp_point_bits, 2
	MACHINE_STATE_RESTORE
	ret
	.cfi_endproc
	.globl	bbp_points_end
	.hidden	bbp_points_end
bbp_points_end:
