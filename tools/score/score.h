/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of instrumentation in each function, predicted from a profile of an instrumented run. */
#ifndef BBPROF_SCORE_H
#define BBPROF_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/blocks/blocks.h"
#include "model/graph/callgraph.h"
#include "model/model.h"
#include "tools/score/cost.h"
#include "tools/view/style.h"

/* One name as used in a function list: all functions of that name, with GCC's copies and parts. */
struct score_function {
  char *symbol;      /* the linker's name */
  char *name;        /* display name; null: the same */
  uint64_t counters; /* executions of its counters */
  /* Executions of hooks that count calls: of each call to it, or of each indirect call in it. */
  uint64_t calls;
  uint64_t entries; /* checks at its entry */
  uint64_t bytes;   /* bytes of machine code executed, including counters */
  double samples;
  double cost;    /* of all instrumentation, in nanoseconds */
  double time;    /* self time without instrumentation, in nanoseconds */
  bool arcs;      /* the map says that its calls are not counted by hooks */
  bool estimated; /* `time' is estimated from bytes, because there are too few samples */
  bool excluded;  /* its cost is above the user's limit */
  bool in_object; /* one of them is in an object that the user chose */
};

enum score_sort {
  SCORE_BY_COST,  /* most first */
  SCORE_BY_RATIO, /* cost in percent of self time */
  SCORE_BY_SELF,
  SCORE_BY_COUNTERS,
  SCORE_BY_CALLS,
  SCORE_BY_NAME,
};

struct score {
  const char *program;
  const struct model *model;
  const char *object; /* pattern of the objects that the user chose; null: all */
  struct cost costs;
  enum score_sort sort;
  struct score_function *functions; /* in this order */
  size_t count;
  size_t room; /* private */
  size_t shown;
  double time;    /* of all code, instrumented or not, without instrumentation; nanoseconds */
  double cost;    /* of all functions */
  bool has_limit; /* some are to be excluded: */
  double limit;   /* those that cost more than so many percent of their self time */
  size_t nexcluded;
  double kept_cost; /* of the functions that are not excluded */
};

/* False: no memory. */
bool score_build (struct score *, const struct blocks *, const struct callgraph *);
void score_free (struct score *);

/* Marks functions that cost more than LIMIT percent of their self time and matter in the whole. */
void score_exclude (struct score *, double limit);

void score_emit_text (FILE *, const struct score *, const struct style *);
void score_emit_json (FILE *, const struct score *);
/* Prints the excluded functions in the format of the plugin's option exclude=@FILE. */
void score_emit_list (FILE *, const struct score *);

/* A cost in percent of a time, at most 9999; of no time, 0 for no cost, else 9999. */
static inline double
score_percent (double cost, double time)
{
  return cost <= 0 ? 0 : time > 0 && cost < 9999 * time / 100 ? 100 * cost / time : 9999;
}

#endif
