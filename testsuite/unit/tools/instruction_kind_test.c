/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the kinds of instructions: texts of each processor as binutils 2.40 write them. */
#include <string.h>

#include "testsuite/unit/unit.h"
#include "tools/code/instruction_kind.h"

struct text {
  enum instruction_kind kind;
  const char *text;
  bool indirect;
};

static void
check_texts (enum image_machine machine, const struct text *texts, size_t count)
{
  for (const struct text *t = texts; t < texts + count; t++)
    {
      bool indirect = !t->indirect;
      const enum instruction_kind kind = instruction_kind (machine, t->text, &indirect);
      ck_assert_msg (kind == t->kind && indirect == t->indirect, "%s: kind %d, indirect %d",
                     t->text, (int) kind, indirect);
    }
}

#define CHECK_TEXTS(machine, texts) check_texts (machine, texts, sizeof texts / sizeof *texts)

START_TEST (of_x86)
{
  static const struct text texts[] = { { INSTRUCTION_PLAIN, "mov    %rax,%rbx" },
                                       { INSTRUCTION_PLAIN, "lock incq 0x10(%rip)        # 0x40" },
                                       { INSTRUCTION_CALL, "call   0x4b70 <f>" },
                                       { INSTRUCTION_CALL, "call   *0x2fe2(%rip)", true },
                                       { INSTRUCTION_CALL, "data16 rex.W call 0x4b70 <f>" },
                                       { INSTRUCTION_JUMP, "bnd jmp *0x2fe2(%rip)", true },
                                       { INSTRUCTION_JUMP, "notrack jmp *%rax", true },
                                       { INSTRUCTION_JUMP, "jmp    0x4b70 <f+0x10>" },
                                       { INSTRUCTION_BRANCH, "jne    0x4b70 <f+0x10>" },
                                       { INSTRUCTION_BRANCH, "loop   0x4b70 <f+0x10>" },
                                       { INSTRUCTION_END, "repz ret" },
                                       { INSTRUCTION_END, "ud2" },
                                       { INSTRUCTION_PADDING, "cs nopw 0x0(%rax,%rax,1)" },
                                       { INSTRUCTION_PADDING, "xchg   %ax,%ax" },
                                       { INSTRUCTION_PLAIN, "xchg   %ax,%bx" } };
  CHECK_TEXTS (IMAGE_X86, texts);
}
END_TEST

START_TEST (of_aarch64)
{
  static const struct text texts[] = { { INSTRUCTION_PLAIN, "add    w0, w0, #0x1" },
                                       { INSTRUCTION_PLAIN, "bic    w0, w1, w2" },
                                       { INSTRUCTION_PLAIN, "bfi    w0, w1, #3, #4" },
                                       { INSTRUCTION_PLAIN, "bti    c" },
                                       { INSTRUCTION_CALL, "bl     0x720 <f>" },
                                       { INSTRUCTION_CALL, "blr    x3" },
                                       { INSTRUCTION_CALL, "blraaz x3" },
                                       { INSTRUCTION_JUMP, "b      0x720 <f>" },
                                       { INSTRUCTION_JUMP, "br     x16" },
                                       { INSTRUCTION_JUMP, "braa   x1, x2" },
                                       { INSTRUCTION_BRANCH, "b.ne   0x720 // b.any" },
                                       { INSTRUCTION_BRANCH, "cbz    w0, 0x720" },
                                       { INSTRUCTION_BRANCH, "tbnz   w1, #3, 0x720" },
                                       { INSTRUCTION_END, "ret" },
                                       { INSTRUCTION_END, "retaa" },
                                       { INSTRUCTION_END, "brk    #0x3e8" },
                                       { INSTRUCTION_PADDING, "nop" },
                                       { INSTRUCTION_PLAIN, "brka   p0.b, p1/z, p2.b" } };
  CHECK_TEXTS (IMAGE_AARCH64, texts);
}
END_TEST

START_TEST (of_riscv)
{
  static const struct text texts[] = { { INSTRUCTION_PLAIN, "add    a0,a0,1" },
                                       { INSTRUCTION_PLAIN, "bset   a0,a1,a2" },
                                       { INSTRUCTION_CALL, "jal    0x5f4 <f>" },
                                       { INSTRUCTION_CALL, "jal    t0,0x5f4 <f>" },
                                       { INSTRUCTION_CALL, "jalr   -12(ra) # 0x5d0" },
                                       { INSTRUCTION_JUMP, "j      0x5f4 <f+0x2>" },
                                       { INSTRUCTION_JUMP, "jr     a5" },
                                       { INSTRUCTION_BRANCH, "beqz   a0,0x5f4" },
                                       { INSTRUCTION_BRANCH, "bltu   a5,a0,0x5f4" },
                                       { INSTRUCTION_BRANCH, "c.bnez a5,0x5f4" },
                                       { INSTRUCTION_END, "ret" },
                                       { INSTRUCTION_END, "ebreak" },
                                       { INSTRUCTION_END, "unimp" },
                                       { INSTRUCTION_PADDING, "nop" } };
  CHECK_TEXTS (IMAGE_RISCV, texts);
}
END_TEST

START_TEST (of_others)
{
  static const struct text texts[] = { { INSTRUCTION_PLAIN, "brasl  %r14,0x720" } };
  CHECK_TEXTS (IMAGE_OTHER, texts);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { of_x86 }, { of_aarch64 }, { of_riscv }, { of_others } };
  return unit_run (UNIT_SUITE ("instruction_kind", UNIT_CASE (tests)));
}
