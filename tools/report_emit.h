/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `bbprof report' shows, ready to be printed in one of several formats. */
#ifndef BBPROF_REPORT_EMIT_H
#define BBPROF_REPORT_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "model.h"
#include "summary.h"

struct report_object {
  const struct object *object;
  double samples;
  uint64_t calls; /* of its functions */
};

struct report_function {
  const struct symbol *symbol;
  char *name;     /* for people */
  double samples; /* of its own */
  uint64_t calls; /* whoever made them, itself included */
};

struct report_table {
  const char *program;
  const struct model *model;
  struct summary summary;
  struct report_object *objects;     /* those with data, most time first */
  size_t nobjects;
  struct report_function *functions; /* likewise */
  size_t nfunctions;                 /* to be shown */
  size_t active;                     /* functions that ran */
  double samples;                    /* in the profile */
  uint64_t calls;
};

void report_emit_text (FILE *, const struct report_table *);
void report_emit_json (FILE *, const struct report_table *);

/* Is time known, in seconds? */
static inline bool
report_has_time (const struct report_table *t)
{
  const struct profile *p = &t->model->profile;
  return p->nhistograms > 0 && p->letter == 's' && p->rate > 0;
}

static inline double
report_seconds (const struct report_table *t, double samples)
{
  return samples / t->model->profile.rate;
}

/* Part of all samples in percent; 0 of nothing is 0. */
static inline double
report_percent (const struct report_table *t, double samples)
{
  return t->samples > 0 ? 100 * samples / t->samples : 0;
}

/* Own time of one call in nanoseconds; negative: not known, for want of calls or time. */
static inline double
report_nanoseconds (const struct report_table *t, const struct report_function *f)
{
  return f->calls > 0 && f->samples > 0 && report_has_time (t)
             ? 1e9 * report_seconds (t, f->samples) / (double) f->calls
             : -1;
}

#endif
