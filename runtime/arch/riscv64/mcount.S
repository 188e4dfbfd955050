/* SPDX-License-Identifier: MIT */
/* The hooks that compiled code calls on riscv64.  Context: hot.

   _mcount      after the prologue, as GCC calls it: the caller's return address is in a0
   __fentry__   at the function's begin: it is in t0, which is preserved
   __bb_indirect_func  before an indirect call: the callee is in t1, which is preserved
   __bb_thread_func    attaches the thread; t0 is preserved

   The callee of the first two, and the caller of the third, is the hook's return address.  mcount,
   _mcount and __fentry__ are weak: a program may define its own.

   Registers that change: t3 to t6; t2 is the static chain of nested functions.  Floating-point
   registers are safe because no code here or called from here uses them (the C files are compiled
   with -ffixed-... for each of them).

   The fast path probes the slot of the thread's arc table (struct bbp_arc_table) that the arc
   hashes to, and the next three, and increments the arc's counter by one instruction.  bbp_arc_slow
   does everything else: a thread's first call, an arc's first call, more collisions.  Calls of a
   stopped thread (bbp_no_arcs) are ignored. */
#include "entry.h"
#include "runtime/count/arcs.h"
#include "save.h"

/* If slot N from t3 is the arc's, count there and return. */
	.macro	COUNT_IN_SLOT n, from, self
	ld	t4, TABLE_SLOTS+ARC_BYTES*\n+ARC_FROM(t3)
	ld	t5, TABLE_SLOTS+ARC_BYTES*\n+ARC_SELF(t3)
	bne	t4, \from, 1f
	bne	t5, \self, 1f
	addi	t3, t3, TABLE_SLOTS+ARC_BYTES*\n+ARC_COUNT
	li	t4, 1
	amoadd.d	zero, t4, (t3)
	ret
1:
	.endm

/* Behind it: none of these slots, or the thread has no table. */
	.macro	COUNT_ARC from, self
	la.tls.ie	t3, bbp_arcs
	add	t3, t3, tp
	ld	t3, 0(t3)
	beqz	t3, 9f
	slli	t4, \self, 3
	add	t4, t4, \from
	li	t5, HASH_FACTOR
	mul	t4, t4, t5
	ld	t5, TABLE_MASK(t3)
	srli	t4, t4, HASH_SHIFT
	and	t4, t4, t5
	add	t3, t3, t4
	COUNT_IN_SLOT 0, \from, \self
	COUNT_IN_SLOT 1, \from, \self
	COUNT_IN_SLOT 2, \from, \self
	COUNT_IN_SLOT 3, \from, \self
	lla	t4, bbp_no_arcs		/* every arc hashes to its only slot */
	bne	t3, t4, 9f
	ret
9:
	.endm

	.macro	COUNT_SLOWLY from, self
	SAVE
	mv	t3, \from
	mv	a1, \self
	mv	a0, t3
	call	bbp_arc_slow
	RESTORE
	ret
	.endm

	.weak	mcount
	.weak	_mcount
	.type	mcount, %function
ENTRY _mcount
	.set	mcount, _mcount
	COUNT_ARC a0, ra
	COUNT_SLOWLY a0, ra
END _mcount

	.weak	__fentry__
ENTRY __fentry__
	COUNT_ARC t0, ra
	COUNT_SLOWLY t0, ra
END __fentry__

	.globl	__bb_indirect_func
	.globl	bbp_indirect	/* the library's, even if the public name is not */
	.hidden	bbp_indirect
ENTRY __bb_indirect_func
	.set	bbp_indirect, __bb_indirect_func
	li	t6, 1			/* BBP_ARC_INDIRECT, the upper bit */
	slli	t6, t6, 63
	or	t6, t6, ra
	COUNT_ARC t6, t1
	.globl	bbp_indirect_slow
	.hidden	bbp_indirect_slow
bbp_indirect_slow:		/* up to here ra holds the return address; bbp_arch_hook_caller */
	COUNT_SLOWLY t6, t1
END __bb_indirect_func

	.globl	__bb_thread_func
ENTRY __bb_thread_func
	SAVE
	call	bbp_thread_attach_hook
	RESTORE
	ret
END __bb_thread_func
