/* SPDX-License-Identifier: MIT */
/* The hooks that compiled code calls on aarch64.  Context: hot.

   _mcount      after the prologue, as GCC calls it: the caller's return address is in x0
   __fentry__   at the function's begin: it is in x9, which is preserved
   __bb_indirect_func  before an indirect call: the callee is in x16, which is preserved
   __bb_thread_func    attaches the thread; x9 is preserved

   The callee of the first two, and the caller of the third, is the hook's return address.  mcount,
   _mcount and __fentry__ are weak: a program may define its own.

   Registers that change: x10, x11, x12, x17, the flags; and x30, by the call itself.  Vector
   registers are safe because no code here or called from here uses them (the C files are compiled
   with -mgeneral-regs-only).

   The fast path probes the slot of the thread's arc table (struct bbp_arc_table) that the arc
   hashes to, and the next three, and increments the arc's counter: three instructions, which a
   handler of the program makes the thread begin again (bbp_arch_roll_back).  bbp_arc_slow does
   everything else: a thread's first call, an arc's first call, more collisions.  Calls of a stopped
   thread (bbp_no_arcs) are ignored. */
#include "entry.h"
#include "runtime/count/arcs.h"
#include "save.h"

/* The flag in FROM for arcs of indirect calls (BBP_ARC_INDIRECT). */
#define INDIRECT 0x8000000000000000

/* If slot N from x17 is the arc's, count there and return. */
	.macro	COUNT_IN_SLOT n, from, self
	ldp	x10, x11, [x17, #TABLE_SLOTS+ARC_BYTES*\n+ARC_FROM]
	cmp	x10, \from
	ccmp	x11, \self, #0, eq
	b.ne	1f
	ldr	x10, [x17, #TABLE_SLOTS+ARC_BYTES*\n+ARC_COUNT]
	add	x10, x10, #1
	str	x10, [x17, #TABLE_SLOTS+ARC_BYTES*\n+ARC_COUNT]
	ret
1:
	.endm

/* Behind it: none of these slots, or the thread has no table. */
	.macro	COUNT_ARC from, self
	mrs	x10, tpidr_el0
	adrp	x17, :gottprel:bbp_arcs
	ldr	x17, [x17, #:gottprel_lo12:bbp_arcs]
	ldr	x17, [x10, x17]
	cbz	x17, 9f
	add	x10, \from, \self, lsl #3
	mov	x11, #HASH_FACTOR & 0xffff
	movk	x11, #(HASH_FACTOR >> 16) & 0xffff, lsl #16
	movk	x11, #0xffff, lsl #32
	movk	x11, #0xffff, lsl #48
	mul	x10, x10, x11
	ldr	x11, [x17, #TABLE_MASK]
	and	x10, x11, x10, lsr #HASH_SHIFT
	add	x17, x17, x10
	COUNT_IN_SLOT 0, \from, \self
	COUNT_IN_SLOT 1, \from, \self
	COUNT_IN_SLOT 2, \from, \self
	COUNT_IN_SLOT 3, \from, \self
	adrp	x10, bbp_no_arcs	/* every arc hashes to its only slot */
	add	x10, x10, :lo12:bbp_no_arcs
	cmp	x17, x10
	b.ne	9f
	ret
9:
	.endm

	.macro	COUNT_SLOWLY from, self
	SAVE
	mov	x1, \self
	mov	x0, \from
	bl	bbp_arc_slow
	RESTORE
	ret
	.endm

	.weak	mcount
	.weak	_mcount
	.type	mcount, %function
ENTRY _mcount
mcount = _mcount
	COUNT_ARC x0, x30
	COUNT_SLOWLY x0, x30
END _mcount

	.weak	__fentry__
ENTRY __fentry__
	COUNT_ARC x9, x30
	COUNT_SLOWLY x9, x30
END __fentry__

	.globl	__bb_indirect_func
	.globl	bbp_indirect	/* the library's, even if the public name is not */
	.hidden	bbp_indirect
ENTRY __bb_indirect_func
bbp_indirect = __bb_indirect_func
	orr	x12, x30, #INDIRECT
	COUNT_ARC x12, x16
	.globl	bbp_indirect_slow
	.hidden	bbp_indirect_slow
bbp_indirect_slow:		/* up to here x30 holds the return address; bbp_arch_hook_caller */
	COUNT_SLOWLY x12, x16
END __bb_indirect_func

	.globl	__bb_thread_func
ENTRY __bb_thread_func
	SAVE
	bl	bbp_thread_attach_hook
	RESTORE
	ret
END __bb_thread_func
