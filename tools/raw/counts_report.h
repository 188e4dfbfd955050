/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof report --counts: "count name" for each function with samples, as the scripts of old
   profilers said it. */
#ifndef BBPROF_COUNTS_REPORT_H
#define BBPROF_COUNTS_REPORT_H

#include <stdbool.h>

#include "common/error.h"

/* On stdout, of PROGRAM's samples in FILE: a prof.out, or a gmon.out.  WORDS: "32", "64", or
   null: as PROGRAM has them.  ARGV0 is for warnings.  ANY_BUILD: PROGRAM may be another build
   than the one that ran. */
bool counts_report (const char *argv0, const char *program, char *file, const char *words,
                    bool any_build, struct error *);

#endif
