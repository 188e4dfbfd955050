/* SPDX-License-Identifier: MIT */
/* The run-time library in this process. */
#ifndef BBP_LIBRARY_H
#define BBP_LIBRARY_H

#include <stdbool.h>

#include "include/bbprof-ranks.h"

#pragma GCC visibility push(hidden)

extern const struct bbm_library *library; /* null: there is none, and nothing is noted */
void library_find (void);

#pragma GCC visibility pop

#endif
