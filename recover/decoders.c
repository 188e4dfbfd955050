/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>
#include <stddef.h>

#include "recover/decoders.h"

static const struct processor all[] = {
  { EM_X86_64, &decoder_x86_64, R_X86_64_RELATIVE, { R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT } },
  { EM_AARCH64, &decoder_aarch64, R_AARCH64_RELATIVE, { R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT } },
  { EM_RISCV, &decoder_riscv64, R_RISCV_RELATIVE, { R_RISCV_64, R_RISCV_JUMP_SLOT } },
};

const struct processor *
processor_find (uint16_t elf)
{
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].elf == elf)
      return &all[i];
  return NULL;
}
