/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of the report about the languages that interpreters executed. */
#ifndef BBPROF_REPORT_LANGUAGES_H
#define BBPROF_REPORT_LANGUAGES_H

#include <stdio.h>

#include "tools/report/report_emit.h"

/* Lines for the head of the report; none without languages. */
void report_emit_languages (FILE *, const struct report_table *);

#endif
