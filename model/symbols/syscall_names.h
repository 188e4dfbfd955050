/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of system calls by number, from the headers of the kernel.  x86-64's are known only
   where the tools are compiled for x86-64. */
#ifndef BBPROF_SYSCALL_NAMES_H
#define BBPROF_SYSCALL_NAMES_H

#include <stdint.h>

#include "model/elf/image.h"

/* Null: unknown. */
const char *syscall_name (enum image_machine, uint64_t number);

#endif
