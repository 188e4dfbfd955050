/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of the kernel's functions, by their addresses, as /proc/kallsyms says. */
#ifndef BBPROF_KERNEL_NAMES_H
#define BBPROF_KERNEL_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct kernel_names {
  struct kernel_symbol *symbols; /* by address */
  size_t n, room;
};

/* Reads them once; there are none where the kernel hides the addresses (kernel.kptr_restrict). */
void kernel_names_read (struct kernel_names *);
void kernel_names_free (struct kernel_names *);

/* The function at ADDRESS; null: unknown. */
const char *kernel_name_at (const struct kernel_names *, uint64_t address);

#endif
