/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a comparison within a budget? */
#ifndef BBPROF_CHECK_RULES_H
#define BBPROF_CHECK_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/check/budget.h"
#include "tools/compare/diff.h"

/* The worst last.  Not proven: more than the budget was seen, but chance can be the reason. */
enum check_verdict { CHECK_WITHIN, CHECK_NOT_PROVEN, CHECK_UNSURE, CHECK_OVER };

/* One thing that a rule is about. */
struct check_case {
  const struct diff_row *row;
  bool varies; /* a count that differed among the runs of the base */
  /* If tested: how likely so much, or more, is if it is within the budget; among all that were
     tested. */
  double p;
  bool tested;                /* of times: there are samples enough; of counts: it varies */
  enum check_verdict verdict; /* within, not proven or over */
};

struct check_rule {
  const struct budget_rule *rule;
  enum check_verdict verdict;
  const char *why; /* CHECK_UNSURE: what is missing */
  struct check_case *cases;
  size_t ncases, room;
  size_t over, unproven; /* of the cases */
};

struct check {
  const struct diff *diff;
  struct check_rule *rules;
  size_t count;
  enum check_verdict verdict;    /* the worst */
  size_t over, unproven, unsure; /* rules */
  bool strict;                   /* what is not proven counts as over */
  size_t varying;                /* functions of the base whose counts vary by themselves */
};

/* Judges all rules; STRICT: what is not proven counts as over.  False: no memory; check_free is
   right in both cases. */
bool check_make (struct check *, const struct diff *, const struct budget *, bool strict);
void check_free (struct check *);

/* check_judge.c, for check_make: the verdict of each case.  False: no memory. */
bool check_judge (struct check *);

#endif
