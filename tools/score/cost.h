/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of one execution of each kind of instrumentation. */
#ifndef BBPROF_COST_H
#define BBPROF_COST_H

#include <stdbool.h>

/* In nanoseconds. */
struct cost {
  double counter; /* of a block */
  double call;    /* a hook that counts a call */
  double entry;   /* the check at a function's entry whether its thread is registered */
};

/* Measures on this machine; takes some ten milliseconds. */
struct cost cost_measure (void);

/* Parses TEXT, KIND:NANOSECONDS,..., and sets the named kinds.  False: TEXT is invalid. */
bool cost_parse (struct cost *, const char *text);

#endif
