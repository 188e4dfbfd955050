/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a comparison within a budget? */
#ifndef BBPROF_CHECK_RULES_H
#define BBPROF_CHECK_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "budget.h"
#include "diff.h"

enum check_verdict { CHECK_WITHIN, CHECK_UNSURE, CHECK_OVER }; /* the worst last */

/* One thing that a rule is about. */
struct check_case {
  const struct diff_row *row;
  double p;          /* of times: how likely so much, or more, is if it is within the budget; among all that were tested */
  bool tested;       /* of times: there are samples enough */
  bool over;
};

struct check_rule {
  const struct budget_rule *rule;
  enum check_verdict verdict;
  const char *why;   /* CHECK_UNSURE: what is missing */
  struct check_case *cases;
  size_t ncases, room;
  size_t over;       /* of the cases */
};

struct check {
  const struct diff *diff;
  struct check_rule *rules;
  size_t count;
  enum check_verdict verdict; /* the worst */
  size_t over, unsure;        /* rules */
};

/* Judges all rules.  False: no memory; check_free is right in both cases. */
bool check_make (struct check *, const struct diff *, const struct budget *);
void check_free (struct check *);

#endif
