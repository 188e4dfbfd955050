/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of system calls by number, from the compiler's headers for this machine. */
#ifndef BBPROF_SYSCALL_NAMES_H
#define BBPROF_SYSCALL_NAMES_H

#include <stdint.h>

/* Null: unknown. */
const char *syscall_name (uint64_t number);

#endif
