/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "model/symbols/syscall_names.h"

/* Made from asm/unistd.h: [number] = "name", ... */
static const char *const names[] = {
#include "syscall_table.h"
};

const char *
syscall_name (uint64_t number)
{
  return number < sizeof names / sizeof *names ? names[number] : NULL;
}
