/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe (hook, misalignment): loads every register from probe_in, calls HOOK as a function's
   prologue would, on a stack misaligned by so many bytes, and stores every register to probe_out.
   Not re-entrant. */

	.bss
	.p2align 4
saved_rsp:	.quad 0
hook:		.quad 0
	.globl	probe_r11
probe_r11:	.quad 0, 0	/* before and after */
	.globl	probe_flags
probe_flags:	.quad 0, 0	/* the same */
	.globl	probe_in, probe_out, probe_xin, probe_xout, probe_xmask
probe_in:	.zero 8 * 14	/* rax rbx rcx rdx rsi rdi r8 r9 r10 r12 r13 r14 r15 rbp */
probe_out:	.zero 8 * 14
probe_xmask:	.quad 0		/* components for xsave */
	.p2align 6
probe_xin:	.zero 16384
probe_xout:	.zero 16384
frame:		.zero 16	/* what rbp points to: a frame with a return address */

	.text
	.globl	probe
	.type	probe, @function
probe:
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsp, saved_rsp(%rip)
	movq	%rdi, hook(%rip)
	andq	$-64, %rsp
	subq	%rsi, %rsp
	leaq	caller(%rip), %rax
	movq	%rax, frame+8(%rip)
	pushq	%rax			/* the caller's address, for __fentry__ */
	movl	probe_xmask(%rip), %eax
	movl	probe_xmask+4(%rip), %edx
	xrstor64 probe_xin(%rip)
	leaq	frame(%rip), %rbp
	movq	probe_in+0(%rip), %rax
	movq	probe_in+8(%rip), %rbx
	movq	probe_in+16(%rip), %rcx
	movq	probe_in+24(%rip), %rdx
	movq	probe_in+32(%rip), %rsi
	movq	probe_in+40(%rip), %rdi
	movq	probe_in+48(%rip), %r8
	movq	probe_in+56(%rip), %r9
	movq	probe_in+64(%rip), %r10
	movq	probe_in+72(%rip), %r12
	movq	probe_in+80(%rip), %r13
	movq	probe_in+88(%rip), %r14
	movq	probe_in+96(%rip), %r15
	movq	probe_r11(%rip), %r11
	pushq	probe_flags(%rip)
	popfq
	call	*hook(%rip)
caller:
	pushfq
	popq	probe_flags+8(%rip)
	cld
	movq	%r11, probe_r11+8(%rip)
	movq	%rax, probe_out+0(%rip)
	movq	%rbx, probe_out+8(%rip)
	movq	%rcx, probe_out+16(%rip)
	movq	%rdx, probe_out+24(%rip)
	movq	%rsi, probe_out+32(%rip)
	movq	%rdi, probe_out+40(%rip)
	movq	%r8, probe_out+48(%rip)
	movq	%r9, probe_out+56(%rip)
	movq	%r10, probe_out+64(%rip)
	movq	%r12, probe_out+72(%rip)
	movq	%r13, probe_out+80(%rip)
	movq	%r14, probe_out+88(%rip)
	movq	%r15, probe_out+96(%rip)
	leaq	frame(%rip), %rax
	subq	%rax, %rbp		/* 0 if rbp is what it was */
	movq	%rbp, probe_out+104(%rip)
	movl	probe_xmask(%rip), %eax
	movl	probe_xmask+4(%rip), %edx
	xsave64	probe_xout(%rip)
	movq	saved_rsp(%rip), %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	ret
	.size	probe, .-probe

	.section .note.GNU-stack,"",@progbits
