/* SPDX-License-Identifier: MIT */
/* Local time.  Cold. */
#ifndef BBP_ZONE_H
#define BBP_ZONE_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

void bbp_zone_start (void); /* reads TZ */
/* Offset of local time from UTC at TIME, seconds since 1970; lock held. */
long bbp_zone_offset (int64_t time);

#pragma GCC visibility pop

#endif
