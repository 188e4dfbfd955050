/* SPDX-License-Identifier: MIT */
/* bbp_arch_clone (flags, top, function, argument): see arch.h.  Context: cold.  */
#include <sys/syscall.h>

#include "entry.h"

	.globl	bbp_arch_clone
	.hidden	bbp_arch_clone
ENTRY bbp_arch_clone
	stp	x2, x3, [x1, #-16]!
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	mov	x8, #SYS_clone
	svc	#0
	cbz	x0, 1f
	ret
	.cfi_undefined x30
1:	mov	x29, #0
	mov	x30, #0
	ldp	x1, x0, [sp], #16
	blr	x1
	mov	x8, #SYS_exit
	svc	#0
	brk	#1
END bbp_arch_clone
