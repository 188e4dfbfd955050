/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof report --ranks. */
#ifndef BBPROF_RANK_REPORT_H
#define BBPROF_RANK_REPORT_H

#include <stdbool.h>

#include "tools/arguments/arguments.h"

bool rank_report (const struct arguments *, const char *argv0, struct error *);

#endif
