/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the instrumentation of each function costs, predicted from a profile of an instrumented
   run. */
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

/* A name that a list of functions can have: the functions of that name, with the copies and
   parts that GCC has made of them. */
struct score_function {
  char *symbol;      /* the name, as the linker knows it */
  char *name;        /* for people; null: the same */
  uint64_t counters; /* executions of counters */
  /* Of hooks that count a call: each one of it, or each indirect one that it makes. */
  uint64_t calls;
  uint64_t entries; /* of questions for the thread */
  uint64_t bytes;   /* of machine code executed, counters included */
  double samples;
  double cost;    /* of all instrumentation, nanoseconds */
  double time;    /* of its own without any, nanoseconds */
  bool arcs;      /* the map says that no hook counts its calls */
  bool estimated; /* the time, from the bytes: there are too few samples */
  bool excluded;  /* it costs more than the user wants to pay */
};

struct score {
  const char *program;
  const struct model *model;
  struct cost costs;
  struct score_function *functions; /* the most expensive first */
  size_t count;
  size_t room; /* private */
  size_t shown;
  double time;    /* of all code, instrumented or not, without instrumentation; nanoseconds */
  double cost;    /* of all functions */
  bool has_limit; /* some are to be excluded */
  double limit;   /* ... that cost more than so many percent of their own time */
  size_t nexcluded;
  double kept_cost; /* of the others */
};

/* False if memory is short. */
bool score_build (struct score *, const struct blocks *, const struct callgraph *);
void score_free (struct score *);

/* Chooses the functions that cost more than LIMIT percent of their own time and matter in the
   whole. */
void score_exclude (struct score *, double limit);

void score_emit_text (FILE *, const struct score *);
void score_emit_json (FILE *, const struct score *);
/* The excluded ones, as the plugin's option exclude=@FILE reads them. */
void score_emit_list (FILE *, const struct score *);

/* Cost in percent of a time; of no time, nothing costs nothing and anything a great deal. */
static inline double
score_percent (double cost, double time)
{
  return cost <= 0 ? 0 : time > 0 && cost < 9999 * time / 100 ? 100 * cost / time : 9999;
}

#endif
