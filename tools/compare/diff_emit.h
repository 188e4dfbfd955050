/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints `bbprof diff'. */
#ifndef BBPROF_DIFF_EMIT_H
#define BBPROF_DIFF_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/compare/diff.h"
#include "tools/view/style.h"

enum { DIFF_PERCENT = 16 };

/* Growth by PERCENT in few letters: "=", "+0.20%", "x3.1"; at most DIFF_PERCENT characters with
   the terminating zero. */
void diff_percent_text (char text[DIFF_PERCENT], double percent, bool same);

void diff_emit_text (FILE *, const struct diff *, const struct style *);
void diff_emit_json (FILE *, const struct diff *);

#endif
