/* SPDX-License-Identifier: MIT */
/* Files in the formats of GCC 2.95's run-time library. */
#ifndef BBP_HISTORIC_H
#define BBP_HISTORIC_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/dump/dump.h"

#pragma GCC visibility push(hidden)

/* historic_files.c: appends bb.out, from a profile that has just been written. */
void bbp_historic_write (const struct bbp_profile *);

#pragma GCC visibility pop

#endif
