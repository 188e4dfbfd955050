/* SPDX-License-Identifier: MIT */
/* The functions that trace points call (bbprof-abi.h).  All registers survive, except for the link
   register.  Context: hot.  Only bits need no C code.

   Where a function gets an address, its distance stands behind the call; the function returns
   behind that.  ra is the return address of the call wherever bbp_point_caller does not say where
   the thread is (bbp_arch_hook_caller). */
#include "entry.h"
#include "save.h"

#define HERE_BITS 16 /* struct bbp_here; trace.c asserts these offsets */
#define HERE_MODE 24
#define MODE_TRACE 1

/* TO = address of the thread-local NAME. */
	.macro	OF_THREAD to, name
	la.tls.ie	\to, \name
	add	\to, \to, tp
	.endm

/* a0 = the address that stands behind the call. */
	.macro	TAKE_ADDRESS
	lhu	t3, 0(ra)
	lh	a0, 2(ra)
	slli	a0, a0, 16
	or	a0, a0, t3
	add	a0, a0, ra
	.endm

/* Call FUNCTION (a0, a1) with all registers saved.  bbp_point_caller shows handlers that C code
   runs for a point: the return address less BACK. */
	.macro	CALL_POINT function, back
	OF_THREAD t3, bbp_point_caller
	ld	t4, 0(t3)
	sd	t4, KEPT_CALLER(sp)
	addi	t4, ra, -\back
	sd	t4, 0(t3)
	call	\function
	ld	ra, 136(sp)
	OF_THREAD t3, bbp_point_caller
	ld	t4, KEPT_CALLER(sp)
	sd	t4, 0(t3)
	.endm

/* FUNCTION (address, stack pointer of the point). */
	.macro	POINT name, function
	.globl	\name
ENTRY \name
	MACHINE_STATE_SAVE
	TAKE_ADDRESS
	mv	a1, s0
	CALL_POINT \function, 0
	MACHINE_STATE_RESTORE
	addi	ra, ra, 4
	ret
END \name
	.endm

/* At an entry the return address, which is in t0, is stored below the stack pointer, as if the call
   had pushed it. */
	.macro	ENTRY_POINT name, function
	.globl	\name
ENTRY \name
	addi	sp, sp, -16
	.cfi_adjust_cfa_offset 16
	sd	t0, 8(sp)
	MACHINE_STATE_SAVE
	TAKE_ADDRESS
	addi	a1, s0, 8
	CALL_POINT \function, 0
	MACHINE_STATE_RESTORE
	addi	sp, sp, 16
	.cfi_adjust_cfa_offset -16
	addi	ra, ra, 4
	ret
END \name
	.endm

	.macro	RESTORE_SOME
	ld	t0, 0(sp)
	ld	t1, 8(sp)
	ld	t2, 16(sp)
	ld	t3, 24(sp)
	addi	sp, sp, 32
	.cfi_def_cfa_offset 0
	.endm

/* A thread at PUSHED has recorded the bit if t3 is 0; before that it has not. */
	.macro	BIT_POINT name, pushed, bit
	.globl	\name
ENTRY \name
	addi	sp, sp, -32
	.cfi_def_cfa_offset 32
	sd	t0, 0(sp)
	sd	t1, 8(sp)
	sd	t2, 16(sp)
	sd	t3, 24(sp)
	OF_THREAD t0, __bb
	ld	t1, HERE_MODE(t0)
	andi	t1, t1, MODE_TRACE
	beqz	t1, 2f
	addi	t0, t0, HERE_BITS
1:	lr.d	t1, (t0)
	slli	t2, t1, 1
	ori	t2, t2, \bit
	sc.d	t3, t2, (t0)
\pushed:
	bnez	t3, 1b
	bltz	t1, .Lfull
2:	RESTORE_SOME
	ret
END \name
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
	BIT_POINT __bb_zero_func, bbp_zero_pushed, 0
bbp_one:
	BIT_POINT __bb_one_func, bbp_one_pushed, 1

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
