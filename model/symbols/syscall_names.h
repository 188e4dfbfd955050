/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of system calls by their numbers, as the compiler's headers have them for this
   machine. */
#ifndef BBPROF_SYSCALL_NAMES_H
#define BBPROF_SYSCALL_NAMES_H

#include <stdint.h>

/* Null: not known. */
const char *syscall_name (uint64_t number);

#endif
