/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -s: writes gmon.sum, several profiles as one, by functions. */
#ifndef BBPROF_SUM_H
#define BBPROF_SUM_H

#include <stdbool.h>

#include "common/error.h"
#include "gprof-compat/report.h"

/* Writes FILE, and its sidecar if a profile has one.  False: FILE is unchanged. */
bool sum_write (const struct report *, const char *file, struct error *);

#endif
