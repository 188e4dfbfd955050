/* SPDX-License-Identifier: MIT */
/* bbp_arch_clone (flags, top, function, argument): see arch.h.  Context: cold.  */
#include <sys/syscall.h>

#include "entry.h"

	.globl	bbp_arch_clone
	.hidden	bbp_arch_clone
ENTRY bbp_arch_clone
	addi	a1, a1, -16
	sd	a2, 0(a1)
	sd	a3, 8(a1)
	li	a2, 0
	li	a3, 0
	li	a4, 0
	li	a7, SYS_clone
	ecall
	beqz	a0, 1f
	ret
	.cfi_undefined ra
1:	li	s0, 0
	li	ra, 0
	ld	t1, 0(sp)
	ld	a0, 8(sp)
	addi	sp, sp, 16
	jalr	t1
	li	a7, SYS_exit
	ecall
	ebreak
END bbp_arch_clone
