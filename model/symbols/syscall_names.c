/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "model/symbols/syscall_names.h"

/* Made from the kernel's headers: [number] = "name", ... */
static const char *const x86_64[] = {
#include "syscalls_x86_64.h"
};

/* Of aarch64, riscv64 and later processors. */
static const char *const common[] = {
#include "syscalls_common.h"
};

const char *
syscall_name (enum image_machine machine, uint64_t number)
{
  const bool is_x86 = machine == IMAGE_X86;
  const size_t n = is_x86 ? sizeof x86_64 / sizeof *x86_64 : sizeof common / sizeof *common;
  if (machine == IMAGE_OTHER || number >= n)
    return NULL;
  return (is_x86 ? x86_64 : common)[number];
}
