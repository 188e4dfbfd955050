/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `bbprof report' shows, ready to be printed in one of several formats. */
#ifndef BBPROF_REPORT_EMIT_H
#define BBPROF_REPORT_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/blocks/blocks.h"
#include "model/graph/callgraph.h"
#include "model/model.h"
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
  const char *name;            /* null: outside of all that is known */
  const struct symbol *symbol; /* likewise */
  uint64_t calls;
  struct open_count open; /* by how much that may be wrong */
  /* By the number of calls, 0 to 1: of the function's total time the part that a caller is
     charged with, or that a callee takes; negative: not known, or nothing is shared. */
  double share;
  bool assumed;  /* the caller's part of the callee's total is an assumption */
  bool inherits; /* of a callee: so is its own total, by what it calls */
  /* The callee is in a cycle: what its callers share is the time of the whole cycle. */
  bool cycle;
  /* Of the callee's total, the caller's part: by the number of calls, and as measured; negative:
     not known. */
  double by_calls, measured;
  const struct caller_share *cost; /* what was measured, or null */
  double measured_executions;
  double samples; /* of stacks that have this call; 0 if there are no stacks */
};

struct report_relatives {
  struct report_relative *list; /* the largest shares first, then most calls */
  size_t count;
};

struct report_function {
  uint32_t node;
  const struct symbol *symbol;
  const char *name;    /* for people */
  double samples;      /* of its own */
  double total;        /* with its share of what it calls; of stacks: as measured */
  bool inherits;       /* some of that by an assumption */
  double measured;     /* that, as measured; negative: not known */
  uint32_t cycle;      /* number of the cycle that it is in; 0: in none */
  uint64_t calls;      /* whoever made them, itself included */
  uint64_t executions; /* of its blocks */
  struct report_relatives callers, callees;
  const struct inlined *inlined; /* functions that have become part of it */
  size_t ninlined;
};

/* A thread, as far as a trace tells of it. */
struct report_thread {
  char *name;
  int tid;
  double start, end;   /* seconds since the start of its run */
  uint64_t executions; /* of blocks, as recorded */
};

/* A row of the call tree. */
struct report_branch {
  uint32_t depth; /* of a thread 0 */
  char *name;
  const struct symbol *symbol; /* null: none */
  /* The mangled name of a function that the compiler has made a part of the one above; null: it
     has not. */
  const char *inlined;
  /* A function that calls itself is one row: how often it stood in a row on a stack, at most. */
  uint32_t levels;
  double total, self; /* samples */
};

struct report_table {
  const char *program;
  const struct model *model;
  struct callgraph graph;
  struct blocks blocks;
  struct share_reliability reliability;
  struct caller_shares caller_shares; /* as far as somebody has measured them */
  struct report_thread *threads;      /* of the runs with traces */
  size_t nthreads, room_threads;
  uint64_t recorded;              /* executions of blocks in traces */
  struct stack_times times;       /* if the model has stacks; and then: */
  bool *wanted_threads;           /* of each of its threads: is it shown? */
  bool some_threads;              /* not all are; what was counted is not known of some alone */
  struct bbx_sampling *samplings; /* each different one, summed up over the profiles */
  size_t nsamplings;
  double rate;         /* samples a second */
  size_t most_threads; /* to be shown */
  /* A function is followed by what it called; only if it was asked for. */
  struct report_branch *tree;
  size_t ntree, room_tree;
  bool shows_tree;          /* instead of functions */
  bool no_inlines, no_fold; /* of the tree */
  struct inlined_list inlined;
  struct summary summary;
  struct report_object *objects; /* those with data, most time first */
  size_t nobjects;
  struct report_function *functions; /* as they are to be sorted */
  size_t nfunctions;                 /* to be shown */
  size_t active;                     /* functions that ran */
  double samples;                    /* in the profile */
  uint64_t calls, executions;
  char **names;       /* of each node, or null */
  bool *namesakes;    /* of each node: another one of its object has the same name */
  bool tells_apart;   /* names of these have file and line behind them */
  uint64_t *executed; /* of each node, executions of its blocks */
};

enum report_sort {
  REPORT_BY_SELF,
  REPORT_BY_TOTAL,
  REPORT_BY_CALLS,
  REPORT_BY_NS_PER_CALL,
  REPORT_BY_NAME
};

/* Which functions are shown. */
struct report_choice {
  enum report_sort sort;
  const char *function, *object; /* patterns, or null */
  size_t most;
};

/* Counts what each function of T executed; model, graph and blocks are there.  False: no memory. */
bool report_count (struct report_table *);
/* Then, with trust and splits, fills the rows.  It is an error if the choice names no function
   that ran.  report_free is right in both cases. */
bool report_make (struct report_table *, const struct report_choice *, struct error *);
void report_free (struct report_table *);

/* Callers and callees are shown of the first DETAILED functions.  False: no memory. */
bool report_emit_text (FILE *, const struct report_table *, const struct style *, size_t detailed);
bool report_emit_relatives (FILE *, const struct report_table *, const struct style *,
                            size_t detailed);
bool report_emit_json (FILE *, const struct report_table *);

/* At most at a time that counted, or in all that were sampled; 0: not known. */
uint64_t report_threads (const struct report_table *);

/* How time was sampled, and the first MOST threads that are shown; nothing if there are no
   stacks.  False: no memory. */
void report_emit_samplings (FILE *, const struct report_table *);
bool report_emit_threads (FILE *, const struct report_table *, const struct style *);
/* Likewise as members of a JSON object. */
bool report_emit_json_stacks (FILE *, const struct report_table *);

enum report_verdict { REPORT_NOTHING, REPORT_RIGHT, REPORT_ASSUMED, REPORT_WRONG };

/* Is time known, in seconds? */
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

/* What the caller's part by the number of calls is worth.  It is wrong if it had another part of
   the executions, which are exact, by one percent or more. */
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
