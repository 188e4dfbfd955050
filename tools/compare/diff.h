/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides beside each other, function by function.  Counts are compared exactly, as means of a
   side's runs; times by tests. */
#ifndef BBPROF_DIFF_H
#define BBPROF_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/compare/metric.h"
#include "tools/compare/run_set.h"
#include "tools/compare/significance.h"

struct diff_row {
  const struct run_set_function *before, *now; /* one of them may be its side's none */
  char *name;                                  /* for people; null: the total */
  struct significance time;                    /* if both sides have time */
  bool tested;                                 /* there are samples enough to find anything */
  double p;     /* what the test is worth among all that were made; 1: none was */
  bool matches; /* after diff_choose: the pattern matches it */
};

/* Calls that are more or fewer.  Null: of this caller there were none on that side. */
struct diff_arc {
  const struct run_set_arc *before, *now;
  char *caller, *callee; /* names for people */
  bool matches;          /* after diff_choose: the pattern matches one of them */
};

struct diff {
  const struct run_set *before, *now;
  struct diff_row total;
  struct diff_row *rows; /* all functions */
  size_t count;
  /* After diff_choose: the first ones fit the choice; of these so many are shown. */
  size_t chosen, shown;
  struct diff_arc *arcs;                 /* those that differ */
  size_t narcs, chosen_arcs, shown_arcs; /* likewise */
  size_t room_arcs;                      /* private */
  bool has[METRICS];                     /* both sides have it */
};

/* False: no memory; diff_free is right in both cases. */
bool diff_make (struct diff *, const struct run_set *before, const struct run_set *now);
void diff_free (struct diff *);

/* Which rows are shown. */
struct diff_choice {
  const char *pattern; /* of the function's name; null: of any */
  double threshold;    /* some measure has changed by so many percent, or more; 0: at all */
  enum metric order;   /* most changed first */
  size_t most;
};
/* It is an error if the pattern means no function. */
bool diff_choose (struct diff *, const struct diff_choice *, struct error *);

/* The symbol of a row that is not the total. */
const char *diff_symbol (const struct diff *, const struct diff_row *);

/* With at most this probability some time of all those tested passes for different by chance. */
#define DIFF_SIGNIFICANT 0.05

static inline bool
diff_is_added (const struct diff *d, const struct diff_row *r)
{
  return r->before == &d->before->none;
}

static inline bool
diff_is_removed (const struct diff *d, const struct diff_row *r)
{
  return r->now == &d->now->none;
}

/* The exact number of one side; not of time. */
struct fraction diff_fraction_of (const struct run_set *, const struct run_set_function *,
                                  enum metric);

/* Per run, in seconds or as a number; NaN: there is none. */
double diff_value (const struct run_set *, const struct run_set_function *, enum metric);
/* Is the measure the same on both sides, exactly; of time: as far as can be told? */
bool diff_is_same (const struct diff *, const struct diff_row *, enum metric);
/* By how many percent it has grown; infinite from 0; NaN: it has none. */
double diff_percent (const struct diff *, const struct diff_row *, enum metric);

/* Of arcs: calls as above; how many more a run makes, also in percent, infinite from 0. */
struct fraction diff_arc_calls (const struct run_set *, const struct run_set_arc *);
double diff_arc_change (const struct diff *, const struct diff_arc *);
double diff_arc_percent (const struct diff *, const struct diff_arc *);

/* diff_arcs.c, for diff.c: */
struct diff_order {
  const struct diff *diff;
  const struct diff_choice *choice;
};
bool diff_make_arcs (struct diff *);
struct name_choice;
/* MEANT: null, or all functions have been considered. */
bool diff_choose_arcs (struct diff *, const struct diff_choice *, const struct name_choice *);
void diff_free_arcs (struct diff *);

#endif
