/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares two run sets function by function: counts exactly, as means of the runs; times by
   statistical tests. */
#ifndef BBPROF_DIFF_H
#define BBPROF_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/compare/metric.h"
#include "tools/compare/run_set.h"
#include "tools/compare/significance.h"

struct diff_row {
  const struct run_set_function *before, *now; /* one of them may be `none' of its run set */
  char *name;                                  /* for display; null: the total */
  struct significance time;                    /* if both run sets have time */
  bool tested;                                 /* there are enough samples to find a difference */
  double p;     /* the probability corrected for the number of tests; 1: not tested */
  bool matches; /* after diff_choose: the pattern matches it */
};

/* An arc with a changed count.  Null: the run set does not have it. */
struct diff_arc {
  const struct run_set_arc *before, *now;
  char *caller, *callee; /* for display */
  bool matches;          /* after diff_choose: the pattern matches one of them */
};

struct diff {
  const struct run_set *before, *now;
  struct diff_row total;
  struct diff_row *rows; /* all functions */
  size_t count;
  /* After diff_choose: the chosen rows come first; of these, so many are shown. */
  size_t chosen, shown;
  struct diff_arc *arcs;                 /* arcs that differ */
  size_t narcs, chosen_arcs, shown_arcs; /* after diff_choose, as for rows */
  size_t room_arcs;                      /* private */
  bool has[METRICS];                     /* both run sets have it */
};

/* False: no memory; call diff_free in both cases. */
bool diff_make (struct diff *, const struct run_set *before, const struct run_set *now);
void diff_free (struct diff *);

/* Selects the rows that are shown. */
struct diff_choice {
  const char *pattern; /* pattern of the function's name; null: any */
  const char *object;  /* pattern of its object's name or path; null: any */
  double threshold;    /* some metric changed by so many percent or more; 0: at all */
  enum metric order;   /* sorted by this metric, most changed first */
  size_t most;
};
/* Error: the pattern matches no function. */
bool diff_choose (struct diff *, const struct diff_choice *, struct error *);

/* The symbol of a row other than the total. */
const char *diff_symbol (const struct diff *, const struct diff_row *);

/* A time is significant if the probability that any of the tested times differs so much by
   chance is at most this. */
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

/* The exact value in one run set; not for time. */
struct fraction diff_fraction_of (const struct run_set *, const struct run_set_function *,
                                  enum metric);

/* Per run: seconds or a number; NaN: none. */
double diff_value (const struct run_set *, const struct run_set_function *, enum metric);
/* Is the metric equal in both run sets: exactly, or for time, without a significant difference? */
bool diff_is_same (const struct diff *, const struct diff_row *, enum metric);
/* Growth in percent; infinite if it was 0; NaN: none. */
double diff_percent (const struct diff *, const struct diff_row *, enum metric);

/* For arcs: calls as above; how many more calls a run makes, as a number and in percent
   (infinite if there were none). */
struct fraction diff_arc_calls (const struct run_set *, const struct run_set_arc *);
double diff_arc_change (const struct diff *, const struct diff_arc *);
double diff_arc_percent (const struct diff *, const struct diff_arc *);

/* diff_arcs.c, called by diff.c: */
struct diff_order {
  const struct diff *diff;
  const struct diff_choice *choice;
};
bool diff_make_arcs (struct diff *);
struct name_choice;
/* CHOICE: null, or complete with all functions. */
bool diff_choose_arcs (struct diff *, const struct diff_choice *, const struct name_choice *);
/* diff.c, called by diff_arcs.c: is this function chosen?  It is one of the run set's; NAME is its
   display name.  CHOICE as above. */
bool diff_is_meant (const struct diff_choice *, const struct name_choice *choice,
                    const struct run_set *, const struct run_set_function *, const char *name);
void diff_free_arcs (struct diff *);

#endif
