/* SPDX-License-Identifier: MIT */
/* Local time.  Cold. */
#ifndef BBP_ZONE_H
#define BBP_ZONE_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

void bbp_zone_start (void);          /* reads TZ */
long bbp_zone_offset (int64_t time); /* of local time at TIME, seconds since 1970, from universal time; lock held */

#pragma GCC visibility pop

#endif
