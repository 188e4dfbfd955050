/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as data, ready to be printed in one of several formats. */
#ifndef BBPROF_REPORT_EMIT_H
#define BBPROF_REPORT_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/blocks/blocks.h"
#include "model/graph/callgraph.h"
#include "model/model.h"
#include "tools/flame/flame_tree.h"
#include "tools/report/inlined.h"
#include "tools/report/caller_shares.h"
#include "tools/report/summary.h"
#include "tools/report/share_reliability.h"
#include "tools/view/stack_times.h"
#include "tools/view/style.h"

struct report_object {
  const struct object *object;
  double samples;
  uint64_t calls;      /* of its functions */
  uint64_t executions; /* of its blocks */
};

/* A caller or callee of a function. */
struct report_relative {
  const char *name;            /* null: unknown code */
  const struct symbol *symbol; /* null: unknown code */
  uint64_t calls;
  struct open_count open; /* bounds of the calls */
  /* Estimated by the number of calls, 0 to 1: the caller's share of the function's total time,
     or the callee's part of it; negative: unknown, or no time is passed on. */
  double share;
  bool assumed;  /* the share of the callee's total is an estimate that may be wrong */
  bool inherits; /* of a callee: its total contains such estimates */
  /* The callee is in a cycle: its callers share the time of the whole cycle. */
  bool cycle;
  /* The caller's share of the callee's total: estimated by the number of calls, and measured;
     negative: unknown. */
  double by_calls, measured;
  const struct caller_share *cost; /* the measured cost, or null */
  double measured_executions;
  double samples; /* of the stacks that contain this call; 0: no stacks */
};

struct report_relatives {
  struct report_relative *list; /* sorted by share, then by calls, largest first */
  size_t count;
};

struct report_function {
  uint32_t node;
  const struct symbol *symbol;
  const char *name;    /* for display */
  double samples;      /* self time */
  double total;        /* total time: estimated by the call graph; with stacks: measured */
  bool inherits;       /* the total contains estimates that may be wrong */
  double measured;     /* the measured total, in samples; negative: not measured */
  uint32_t cycle;      /* number of its cycle; 0: in none */
  uint64_t calls;      /* from all callers, itself included */
  uint64_t executions; /* of its blocks */
  struct report_relatives callers, callees;
  const struct inlined *inlined; /* functions that were inlined into it */
  size_t ninlined;
};

/* A thread, as recorded in a trace. */
struct report_thread {
  char *name;
  int tid;
  double start, end;   /* seconds since the start of its run */
  uint64_t executions; /* of blocks, as recorded */
};

/* A row of the call tree. */
struct report_branch {
  uint32_t depth; /* 0: a thread's row */
  char *name;
  const struct symbol *symbol; /* of the row above; null: none */
  /* The mangled name of a function that was inlined into the one above; null: it was called. */
  const char *inlined;
  /* Direct recursion is one row: the largest number of its consecutive frames on a stack. */
  uint32_t levels;
  bool by_pointer;    /* in some stack it was found by the frame pointer */
  double total, self; /* samples */
};

struct report_table {
  const char *program;
  const struct model *model;
  struct callgraph graph;
  struct blocks blocks;
  struct share_reliability reliability;
  struct caller_shares caller_shares; /* as far as they were measured */
  struct report_thread *threads;      /* of the runs with traces */
  size_t nthreads, room_threads;
  uint64_t recorded; /* executions of blocks in traces */
  /* whether the model has stacks; the following are used only then */
  struct contexts stacks; /* by function */
  struct stack_times times;
  bool *wanted_threads; /* of each thread: is it shown? */
  /* not all threads are shown; counts are left out, because they are known only for all threads
     together */
  bool some_threads;
  struct bbx_sampling *samplings; /* each distinct one, added up over the profiles */
  size_t nsamplings;
  double rate;         /* samples a second */
  size_t most_threads; /* rows that are shown */
  /* Functions that it called follow each function, if the user asked for the tree. */
  struct report_branch *tree;
  size_t ntree, room_tree;
  bool shows_tree; /* shown instead of the functions */
  /* Likewise: the flame graph. */
  bool shows_flame;
  struct flame_choice flame_choice;
  struct flame_tree flame;
  bool no_inlines, no_fold; /* of the tree */
  struct inlined_list inlined;
  struct summary summary;
  struct report_object *objects; /* objects with data, most time first */
  size_t nobjects;
  struct report_function *functions; /* in the order in which they are shown */
  size_t nfunctions;                 /* functions that are shown */
  size_t active;                     /* functions that ran */
  double samples;                    /* functions in the profile */
  uint64_t calls, executions;
  char **names;       /* of each node, or null */
  bool *namesakes;    /* of each node: another function of its object has the same name */
  bool tells_apart;   /* names of these, with file and line */
  uint64_t *executed; /* of each node: executions of its blocks */
};

enum report_sort {
  REPORT_BY_SELF,
  REPORT_BY_TOTAL,
  REPORT_BY_CALLS,
  REPORT_BY_NS_PER_CALL,
  REPORT_BY_NAME
};

/* Selects the functions that are shown. */
struct report_choice {
  enum report_sort sort;
  const char *function, *object; /* patterns, or null */
  size_t most;
};

/* Adds up the executions of each function of T; model, graph and blocks are ready.  False: no
   memory. */
bool report_count (struct report_table *);
/* Fills the rows; callers' shares and their reliability are ready.  Error: the choice names no
   function that ran. Call report_free in both cases. */
bool report_make (struct report_table *, const struct report_choice *, struct error *);
void report_free (struct report_table *);

/* Fills in callers and callees of the first DETAILED functions.  False: no memory. */
bool report_emit_text (FILE *, const struct report_table *, const struct style *, size_t detailed);
bool report_emit_relatives (FILE *, const struct report_table *, const struct style *,
                            size_t detailed);
bool report_emit_json (FILE *, const struct report_table *);

/* The largest number of threads at a time that were counted, or the number of sampled ones; 0:
   unknown. */
uint64_t report_threads (const struct report_table *);

/* Prints how time was sampled, and the first MOST threads that are shown; nothing without
   stacks.  False: no memory. */
void report_emit_samplings (FILE *, const struct report_table *);
bool report_emit_threads (FILE *, const struct report_table *, const struct style *);
/* The same as members of a JSON object. */
bool report_emit_json_stacks (FILE *, const struct report_table *);

enum report_verdict { REPORT_NOTHING, REPORT_RIGHT, REPORT_ASSUMED, REPORT_WRONG };

/* Is time known in seconds? */
static inline bool
report_has_time (const struct report_table *t)
{
  const struct profile *p = &t->model->profile;
  return t->model->has_stacks || (p->nhistograms > 0 && p->letter == 's' && p->rate > 0);
}

static inline double
report_seconds (const struct report_table *t, double samples)
{
  return samples / t->rate;
}

/* Part of all samples, in percent; 0 if there are none. */
static inline double
report_percent (const struct report_table *t, double samples)
{
  return t->samples > 0 ? 100 * samples / t->samples : 0;
}

/* Self time of one call in nanoseconds; negative: unknown, because calls or time are missing. */
static inline double
report_nanoseconds (const struct report_table *t, const struct report_function *f)
{
  return f->calls > 0 && f->samples > 0 && report_has_time (t)
             ? 1e9 * report_seconds (t, f->samples) / (double) f->calls
             : -1;
}

/* Compares the share estimated by the number of calls with the caller's exact part of the
   executions: the estimate is wrong if they differ by one percent or more. */
static inline enum report_verdict
report_verdict (const struct report_relative *r)
{
  double difference = r->by_calls - r->measured_executions;
  if (r->by_calls < 0)
    return REPORT_NOTHING;
  if (r->measured < 0 || r->cycle)
    return r->assumed ? REPORT_ASSUMED : REPORT_RIGHT;
  return difference >= 0.01 || difference <= -0.01 ? REPORT_WRONG : REPORT_RIGHT;
}

#endif
