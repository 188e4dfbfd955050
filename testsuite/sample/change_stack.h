/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A change of stacks by hand, as libraries of user-level threads make it. */
/* Saves what a call preserves below *FROM, and goes on at TO. */
void change_stack (void **from, void *to);
#ifdef __x86_64__
__asm__ (".text\n"
         "change_stack:\n"
         "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
         "  mov %rsp, (%rdi)\n"
         "  mov %rsi, %rsp\n"
         "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
         "  ret\n"
         ".type change_stack, @function\n"
         ".size change_stack, . - change_stack\n");
#endif
