/* SPDX-License-Identifier: MIT */
/* Files as the run-time library of GCC 2.95 wrote them. */
#ifndef BBP_HISTORIC_H
#define BBP_HISTORIC_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/dump/dump.h"

#pragma GCC visibility push(hidden)

/* historic_files.c: bb.out, of a profile that has just been written. */
void bbp_historic_write (const struct bbp_profile *);

#pragma GCC visibility pop

#endif
