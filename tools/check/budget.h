/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A budget: limits for a program, one rule in each line of a text file. bbprof-check (1)
   describes the syntax. */
#ifndef BBPROF_BUDGET_H
#define BBPROF_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "tools/compare/metric.h"

enum budget_scope {
  BUDGET_TOTAL,
  BUDGET_HOT,      /* each function with a given part of the base's executions */
  BUDGET_FUNCTION, /* each function that the pattern matches */
};

enum budget_kind {
  BUDGET_PERCENT, /* growth over the base, in percent */
  BUDGET_MORE,    /* growth over the base, as a number */
  BUDGET_MOST,    /* an absolute limit */
};

struct budget_rule {
  enum budget_scope scope;
  enum metric metric;
  enum budget_kind kind;
  char *pattern;   /* BUDGET_FUNCTION */
  double part;     /* BUDGET_HOT: in percent */
  uint64_t growth; /* BUDGET_PERCENT: in millionths of a percent */
  double limit;    /* the others: a number, or seconds */
  double p;        /* of times: over budget only if the probability of chance is below this */
  unsigned line;   /* of the file; 0: not from a file */
  char *text;      /* text of the rule, with single blanks */
};

struct budget {
  struct budget_rule *rules;
  size_t count, room;
};

/* Reads the file NAME. Call budget_free in both cases. */
bool budget_read (struct budget *, const char *name, struct error *);
/* The default rules, of what the base has: executions, else calls, and times.  False: no memory. */
bool budget_default (struct budget *, bool has_executions, bool has_calls);
void budget_free (struct budget *);

/* Parses LINE, with the number LINE_NUMBER, and adds its rule, if any.  False: ERR names FILE,
   or no memory.  (Public for the tests.) */
bool budget_add (struct budget *, const char *line, unsigned line_number, const char *file,
                 struct error *);

#endif
