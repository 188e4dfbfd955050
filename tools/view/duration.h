/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses times: a number with the unit ns, us, ms or s; without a unit: seconds. */
#ifndef BBPROF_DURATION_H
#define BBPROF_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/* False: TEXT is no duration. */
bool duration_parse (const char *text, uint64_t *ns);

#endif
