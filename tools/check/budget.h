/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program may cost: rules, one on each line of a text file.  The man page says how they
   are written. */
#ifndef BBPROF_BUDGET_H
#define BBPROF_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "tools/compare/metric.h"

enum budget_scope {
  BUDGET_TOTAL,
  BUDGET_HOT,      /* each function with a good part of the base's executions */
  BUDGET_FUNCTION, /* each function that the pattern matches */
};

enum budget_kind {
  BUDGET_PERCENT, /* so much more than the base */
  BUDGET_MORE,    /* likewise, as a number */
  BUDGET_MOST,    /* no more than this */
};

struct budget_rule {
  enum budget_scope scope;
  enum metric metric;
  enum budget_kind kind;
  char *pattern;   /* BUDGET_FUNCTION */
  double part;     /* BUDGET_HOT: in percent */
  uint64_t growth; /* BUDGET_PERCENT: in millionths of a percent */
  double limit;    /* the others: a number, or seconds */
  double p;        /* of times: more is over budget only if the probability of chance is lower */
  unsigned line;   /* of the file; 0: no file says it */
  char *text;      /* the rule, with single blanks */
};

struct budget {
  struct budget_rule *rules;
  size_t count, room;
};

/* Reads the file NAME; budget_free is right in both cases. */
bool budget_read (struct budget *, const char *name, struct error *);
/* What holds if the user says nothing; of what the base has: executions, else calls, and times.
   False: no memory. */
bool budget_default (struct budget *, bool has_executions, bool has_calls);
void budget_free (struct budget *);

/* Adds the rule that the text LINE is, if any, with the number LINE_NUMBER.  False: FILE is to
   blame, or memory is short.  (Here for the tests.) */
bool budget_add (struct budget *, const char *line, unsigned line_number, const char *file,
                 struct error *);

#endif
