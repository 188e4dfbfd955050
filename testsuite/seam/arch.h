/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces the library's own arch.h in the build of the library for fault injection: the same,
   except that system calls go through seam.c. */
#ifndef BBP_SEAM_ARCH_H
#define BBP_SEAM_ARCH_H

#define bbp_arch_syscall bbp_seam_kernel
#include_next "arch.h"
#undef bbp_arch_syscall

long bbp_arch_syscall (long number, long a, long b, long c, long d, long e, long f)
    __attribute__ ((visibility ("hidden")));

#endif
