/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof report --counts: prints "count name" for each function with samples, as scripts of old
   profilers did. */
#ifndef BBPROF_COUNTS_REPORT_H
#define BBPROF_COUNTS_REPORT_H

#include <stdbool.h>

#include "common/error.h"

/* Prints to stdout the samples of PROGRAM in FILE: a prof.out or a gmon.out.  WORDS: "32", "64",
   or null for the word size of PROGRAM.  ARGV0 is used in warnings.  ANY_BUILD: PROGRAM may be
   another build than the profiled one. */
bool counts_report (const char *argv0, const char *program, char *file, const char *words,
                    bool any_build, struct error *);

#endif
