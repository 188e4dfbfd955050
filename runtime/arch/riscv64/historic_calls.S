/* SPDX-License-Identifier: MIT */
/* The functions that code of the historic mode 2 calls (trace_historic.c).  Context: hot.

   __bb_init_trace_func (unit, block)  at a function's entry; arguments as in C, in a0 and a1
   __bb_trace_func                     at each block; its number is in __bb
   __bb_trace_ret                      before a function returns

   All three preserve all registers, except for the link register.  Floating-point registers are
   safe because nothing in C that is called here uses any; vector registers are left alone. */
#include "entry.h"
#include "save.h"

/* FUNCTION gets the stack pointer at the call, less BELOW, in register ARGUMENT. */
	.macro	HISTORIC name, function, argument, below
	.globl	\name
ENTRY \name
	MACHINE_STATE_SAVE
	addi	\argument, s0, -\below
	call	\function
	MACHINE_STATE_RESTORE
	ret
END \name
	.endm

/* A call stores nothing, so the word below the stack pointer stands for the function's frame where
   it begins and ends: below all that its caller has. */
	HISTORIC __bb_init_trace_func, bbp_historic_enter, a2, 8
	HISTORIC __bb_trace_func, bbp_historic_block, a0, 0
	HISTORIC __bb_trace_ret, bbp_historic_leave, a0, 8
