/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one execution of a piece of instrumentation costs. */
#ifndef BBPROF_COST_H
#define BBPROF_COST_H

#include <stdbool.h>

/* In nanoseconds. */
struct cost {
  double counter; /* of a block */
  double call;    /* a hook that counts a call */
  double entry;   /* a function's question whether its thread is known */
};

/* On this machine, in some ten milliseconds. */
struct cost cost_measure (void);

/* TEXT is KIND:NANOSECONDS,...; changes the kinds that it names.  False if there is something
   else in it. */
bool cost_parse (struct cost *, const char *text);

#endif
