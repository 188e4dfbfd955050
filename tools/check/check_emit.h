/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints `bbprof check'. */
#ifndef BBPROF_CHECK_EMIT_H
#define BBPROF_CHECK_EMIT_H

#include <stdio.h>

#include "tools/check/check_rules.h"
#include "tools/view/style.h"

/* One line about a case: "leaf: executions 1002, before 1000 (+0.2%)". */
void check_case_text (FILE *, const struct check *, const struct check_rule *,
                      const struct check_case *);

/* MOST: functions of each rule and verdict. */
void check_emit_text (FILE *, const struct check *, size_t most, const struct style *);
void check_emit_json (FILE *, const struct check *);
/* A test suite in JUnit's XML; each rule is a test case. */
void check_emit_junit (FILE *, const struct check *);
/* The same if there is no check, only an error. */
void check_emit_junit_error (FILE *, const struct error *);

static inline const char *
check_verdict_name (enum check_verdict v)
{
  static const char *const names[] = { [CHECK_WITHIN] = "within",
                                       [CHECK_NOT_PROVEN] = "not proven",
                                       [CHECK_UNSURE] = "unsure",
                                       [CHECK_OVER] = "over" };
  return names[v];
}

#endif
