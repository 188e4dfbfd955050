/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times as people write them: a number, with ns, us, ms or s behind it; without: seconds. */
#ifndef BBPROF_DURATION_H
#define BBPROF_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/* False: TEXT is none. */
bool duration_parse (const char *text, uint64_t *ns);

#endif
