/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranks of an MPI program side by side: for each function, line or block the rank with the
   least and the one with the most of it; and the calls of MPI. */
#ifndef BBPROF_RANK_TABLE_H
#define BBPROF_RANK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"
#include "tools/view/style.h"

/* What a row is, in the order of --ranks; what is compared, in the order of --by. */
enum rank_what { RANK_FUNCTIONS, RANK_LINES, RANK_BLOCKS };
enum rank_by { RANK_BY_TIME, RANK_BY_EXECUTIONS, RANK_BY_CALLS };

struct rank_row {
  char *name;                  /* for display */
  const struct object *object; /* null: unknown */
  const struct symbol *symbol; /* its function; null: unknown */
  uint64_t *values;            /* of each rank */
  uint64_t total;              /* of all ranks */
  size_t least, most;          /* indices of the first rank with the least, and with the most */
};

/* A function of MPI, called from one place. */
struct rank_call_row {
  uint64_t call; /* its number */
  char *from;    /* for display; null: unknown */
  uint64_t calls, bytes, nanoseconds;
  uint64_t longest; /* nanoseconds of the rank that was in it for longest */
  size_t most;      /* index of that rank */
  /* Of collective calls: of all ranks, how long they waited; the rank that came last most often,
     how often, and how long after the first one in all. */
  uint64_t judged, waited, last, spread;
  size_t late; /* index of that rank; without meaning if LAST is 0 */
};

struct rank_table {
  const struct model *model;
  const char *program;
  enum rank_what what;
  enum rank_by by;
  size_t limit;                     /* rows that are shown */
  const struct bbx_run_rank *ranks; /* borrowed */
  size_t nranks;
  struct rank_row *rows; /* the most difference between mean and most first */
  size_t nrows, room_rows;
  struct rank_call_row *calls; /* the most time first */
  size_t ncalls, room_calls;
};

/* By what ranks are compared if the user does not say so: the first that the profile has. */
enum rank_by rank_default_by (const struct model *);

/* Fills the rows; MODEL, WHAT, BY and LIMIT are set.  False: the profile has no ranks, or not their
   counts.  Call rank_table_free in both cases. */
bool rank_table_make (struct rank_table *, struct error *);
void rank_table_free (struct rank_table *);

/* Keeps the rows of FUNCTION in OBJECT, patterns or null.  False: there are none. */
bool rank_choose (struct rank_table *, const char *function, const char *object, struct error *);

bool rank_emit_text (FILE *, const struct rank_table *, const struct style *);
void rank_emit_json (FILE *, const struct rank_table *);

static inline double
rank_mean (const struct rank_table *t, uint64_t total)
{
  return (double) total / (double) t->nranks;
}

/* How much more than the mean the rank with the most has, as a part of the mean: the time that
   would be saved by a perfect balance, if all wait for that rank. */
static inline double
rank_imbalance (const struct rank_table *t, const struct rank_row *row)
{
  return row->total ? (double) row->values[row->most] / rank_mean (t, row->total) - 1 : 0;
}

/* The number of the rank with this index. */
static inline unsigned
rank_number (const struct rank_table *t, size_t index)
{
  return t->ranks[index].fixed.rank;
}

#endif
