/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges a comparison by a budget. */
#ifndef BBPROF_CHECK_RULES_H
#define BBPROF_CHECK_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/check/budget.h"
#include "tools/compare/diff.h"

/* Ordered, the worst last.  Not proven: above the budget, but possibly by chance. */
enum check_verdict { CHECK_WITHIN, CHECK_NOT_PROVEN, CHECK_UNSURE, CHECK_OVER };

/* One function (or the total) that a rule limits. */
struct check_case {
  const struct diff_row *row;
  bool varies; /* the count varies between the runs of the base */
  /* If tested: the probability of such a value, or a larger one, within the budget; corrected
     for the number of tests. */
  double p;
  bool tested;                /* times: there are enough samples; counts: it varies */
  enum check_verdict verdict; /* within, not proven or over */
};

struct check_rule {
  const struct budget_rule *rule;
  enum check_verdict verdict;
  const char *why; /* of CHECK_UNSURE: what is missing */
  struct check_case *cases;
  size_t ncases, room;
  size_t over, unproven; /* of the cases */
};

struct check {
  const struct diff *diff;
  struct check_rule *rules;
  size_t count;
  enum check_verdict verdict;    /* the worst verdict */
  size_t over, unproven, unsure; /* numbers of rules */
  bool strict;                   /* `not proven' counts as over */
  size_t varying;                /* functions of the base with counts that vary */
};

/* Judges all rules.  STRICT: `not proven' counts as over.  False: no memory; call check_free
   in both cases. */
bool check_make (struct check *, const struct diff *, const struct budget *, bool strict);
void check_free (struct check *);

/* check_judge.c, for check_make: judges each case.  False: no memory. */
bool check_judge (struct check *);

#endif
