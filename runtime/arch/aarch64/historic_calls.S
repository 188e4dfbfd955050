/* SPDX-License-Identifier: MIT */
/* The functions that code of the historic mode 2 calls (trace_historic.c).  Context: hot.

   __bb_init_trace_func (unit, block)  at a function's entry; arguments as in C, in x0 and x1
   __bb_trace_func                     at each block; its number is in __bb
   __bb_trace_ret                      before a function returns

   All three preserve all registers and flags, except for the link register.  Vector registers are
   safe because nothing in C that is called here uses any (-mgeneral-regs-only); the parts that
   system calls change, those of SVE, are kept by bbp_keep_scalable. */
#include "entry.h"
#include "save.h"

/* FUNCTION gets the stack pointer at the call, less BELOW, in register ARGUMENT. */
	.macro	HISTORIC name, function, argument, below
	.globl	\name
ENTRY \name
	MACHINE_STATE_SAVE
	add	\argument, x29, #SAVED-\below
	adrp	x16, \function
	add	x16, x16, :lo12:\function
	bl	bbp_keep_scalable
	MACHINE_STATE_RESTORE
	ret
END \name
	.endm

/* A call stores nothing, so the word below the stack pointer stands for the function's frame where
   it begins and ends: below all that its caller has. */
	HISTORIC __bb_init_trace_func, bbp_historic_enter, x2, 8
	HISTORIC __bb_trace_func, bbp_historic_block, x0, 0
	HISTORIC __bb_trace_ret, bbp_historic_leave, x0, 8
