/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->hh.tbl = NULL)
#include <uthash.h>

#include "common/array.h"
#include "model/elf/demangle.h"
#include "model/symbols/srcline.h"
#include "tools/ranks/rank_names.h"
#include "tools/ranks/rank_table.h"

/* Addresses whose row is known, and rows whose name is. */
struct known_address {
  uint64_t address;
  size_t row;
  UT_hash_handle hh;
};
struct known_name {
  char *name; /* with the object's */
  size_t row;
  UT_hash_handle hh;
};
struct known {
  struct known_address *addresses;
  struct known_name *names;
};

static void
free_known (struct known *k)
{
  struct known_address *a, *next_a;
  struct known_name *n, *next_n;
  HASH_ITER (hh, k->addresses, a, next_a)
  {
    HASH_DEL (k->addresses, a);
    free (a);
  }
  HASH_ITER (hh, k->names, n, next_n)
  {
    HASH_DEL (k->names, n);
    free (n->name);
    free (n);
  }
}

/* Takes NAME over.  SIZE_MAX: out of memory. */
static size_t
add_row (struct rank_table *t, char *name, uint64_t address)
{
  struct rank_row row = { .name = name,
                          .object = objects_find (&t->model->objects, address),
                          .symbol = symtab_find (&t->model->symtab, address) };
  row.values = calloc (t->nranks, sizeof *row.values);
  if (row.values && array_grow (&t->rows, t->nrows, &t->room_rows, sizeof *t->rows))
    {
      t->rows[t->nrows] = row;
      return t->nrows++;
    }
  free (row.values);
  free (name);
  return SIZE_MAX;
}

/* The row with this name; the same code may have several addresses. */
static size_t
reach_name (struct rank_table *t, struct known *k, char *name, uint64_t address)
{
  const struct object *object = objects_find (&t->model->objects, address);
  struct known_name *found = NULL;
  char *key;
  if (!name || asprintf (&key, "%s %s", name, object ? object->path : "") < 0)
    return free (name), SIZE_MAX;
  HASH_FIND_STR (k->names, key, found);
  if (found)
    {
      free (name);
      free (key);
      return found->row;
    }
  found = calloc (1, sizeof *found);
  size_t row = found ? add_row (t, name, address) : (free (name), SIZE_MAX);
  if (row == SIZE_MAX)
    return free (found), free (key), SIZE_MAX;
  found->name = key;
  found->row = row;
  HASH_ADD_KEYPTR (hh, k->names, key, strlen (key), found);
  return row;
}

static size_t
reach_row (struct rank_table *t, struct known *k, uint64_t address)
{
  struct known_address *found;
  HASH_FIND (hh, k->addresses, &address, sizeof address, found);
  if (found)
    return found->row;
  found = calloc (1, sizeof *found);
  if (!found)
    return SIZE_MAX;
  found->address = address;
  found->row = reach_name (t, k, rank_name (t, address), address);
  if (found->row == SIZE_MAX)
    return free (found), SIZE_MAX;
  HASH_ADD (hh, k->addresses, address, sizeof address, found);
  return found->row;
}

static bool
add_rank (struct rank_table *t, struct known *k, size_t rank)
{
  static const enum bbx_rank_list lists[] = { BBX_RANK_TICKS, BBX_RANK_EXECUTIONS, BBX_RANK_CALLS };
  const struct bbx_rank_counts *list = &t->ranks[rank].lists[lists[t->by]];
  for (size_t i = 0; i < list->n; i++)
    {
      size_t row = reach_row (t, k, list->items[i].address);
      if (row == SIZE_MAX)
        return false;
      t->rows[row].values[rank] += list->items[i].count;
    }
  return true;
}

static void
find_extremes (struct rank_table *t, struct rank_row *row)
{
  for (size_t i = 0; i < t->nranks; i++)
    {
      row->total += row->values[i];
      row->least = row->values[i] < row->values[row->least] ? i : row->least;
      row->most = row->values[i] > row->values[row->most] ? i : row->most;
    }
}

/* What a perfect balance would save comes first. */
static int
compare_rows (const void *a, const void *b, void *context)
{
  const struct rank_row *x = a, *y = b;
  const struct rank_table *t = context;
  const double dx = (double) x->values[x->most] - rank_mean (t, x->total),
               dy = (double) y->values[y->most] - rank_mean (t, y->total);
  return dx != dy               ? (dx > dy ? -1 : 1)
         : x->total != y->total ? (x->total > y->total ? -1 : 1)
                                : strcmp (x->name, y->name);
}

static bool
make_rows (struct rank_table *t)
{
  struct known known = { NULL, NULL };
  bool ok = true;
  for (size_t i = 0; ok && i < t->nranks; i++)
    ok = add_rank (t, &known, i);
  free_known (&known);
  for (size_t i = 0; ok && i < t->nrows; i++)
    find_extremes (t, &t->rows[i]);
  return ok && array_sort (t->rows, t->nrows, sizeof *t->rows, compare_rows, t);
}

/* Calls of MPI. */

static int
compare_sites (const void *a, const void *b, void *context)
{
  const struct bbx_rank_call *x = a, *y = b;
  (void) context;
  return x->call != y->call   ? (x->call < y->call ? -1 : 1)
         : x->site != y->site ? (x->site < y->site ? -1 : 1)
                              : 0;
}

/* The row for CALL; FIRST: it has another function or call site than the one before. */
static struct rank_call_row *
reach_call (struct rank_table *t, const struct bbx_rank_call *call, bool first)
{
  if (!first)
    return &t->calls[t->ncalls - 1];
  if (!array_grow (&t->calls, t->ncalls, &t->room_calls, sizeof *t->calls))
    return NULL;
  struct rank_call_row *row = &t->calls[t->ncalls++];
  *row = (struct rank_call_row) { .call = call->call };
  /* A return address; the call is before it. */
  row->from = call->site ? rank_place (t, call->site - 1) : NULL;
  return !call->site || row->from ? row : NULL;
}

static void
add_call (struct rank_call_row *row, const struct bbx_rank_call *call, size_t rank)
{
  row->calls += call->calls;
  row->bytes += call->bytes;
  row->nanoseconds += call->nanoseconds;
  row->judged += call->judged;
  row->waited += call->waited;
  if (call->nanoseconds > row->longest)
    {
      row->longest = call->nanoseconds;
      row->most = rank;
    }
  if (call->last > row->last)
    {
      row->last = call->last;
      row->spread = call->spread;
      row->late = rank;
    }
}

static int
compare_times (const void *a, const void *b, void *context)
{
  const struct rank_call_row *x = a, *y = b;
  (void) context;
  return x->nanoseconds > y->nanoseconds ? -1 : x->nanoseconds < y->nanoseconds;
}

/* A call of a rank. */
struct call_of {
  struct bbx_rank_call call; /* first: compare_sites */
  size_t rank;
};

static bool
gather_calls (struct rank_table *t, struct call_of *all, size_t n)
{
  if (!array_sort (all, n, sizeof *all, compare_sites, NULL))
    return false;
  for (size_t i = 0; i < n; i++)
    {
      struct rank_call_row *row = reach_call (
          t, &all[i].call, i == 0 || compare_sites (&all[i - 1].call, &all[i].call, NULL) != 0);
      if (!row)
        return false;
      add_call (row, &all[i].call, all[i].rank);
    }
  return array_sort (t->calls, t->ncalls, sizeof *t->calls, compare_times, NULL);
}

static bool
make_calls (struct rank_table *t)
{
  size_t n = 0;
  for (size_t i = 0; i < t->nranks; i++)
    n += t->ranks[i].ncalls;
  struct call_of *all = malloc ((n + 1) * sizeof *all);
  if (!all)
    return false;
  n = 0;
  for (size_t i = 0; i < t->nranks; i++)
    for (size_t k = 0; k < t->ranks[i].ncalls; k++)
      all[n++] = (struct call_of) { t->ranks[i].calls[k], i };
  bool ok = gather_calls (t, all, n);
  free (all);
  return ok;
}

enum rank_by
rank_default_by (const struct model *m)
{
  for (size_t i = 0; i < m->profile.nhistograms; i++)
    if (m->profile.histograms[i].nfilled > 0)
      return RANK_BY_TIME;
  return m->profile.has_executions ? RANK_BY_EXECUTIONS : RANK_BY_CALLS;
}

bool
rank_table_make (struct rank_table *t, struct error *err)
{
  const struct run *run = t->model->runs;
  const struct bbx_ranks *ranks = &run->sidecar.ranks;
  if (t->model->nruns != 1)
    return error_set (err, run->profile, ERROR_NO_OFFSET,
                      "ranks are compared in one profile: add them up first (bbprof merge)");
  if (ranks->n == 0)
    return error_set (err, run->profile, ERROR_NO_OFFSET,
                      "no ranks in it: not a program of MPI, or recorded without the shim for it");
  if (!(ranks->all->fixed.flags & BBX_RANK_COUNTS))
    return error_set (err, run->profile, ERROR_NO_OFFSET,
                      "of one rank only: add it and the others up first (bbprof merge)");
  t->ranks = ranks->all;
  t->nranks = ranks->n;
  return (make_rows (t) && make_calls (t)) || error_no_memory (err);
}

void
rank_table_free (struct rank_table *t)
{
  for (size_t i = 0; i < t->nrows; i++)
    {
      free (t->rows[i].name);
      free (t->rows[i].values);
    }
  free (t->rows);
  for (size_t i = 0; i < t->ncalls; i++)
    free (t->calls[i].from);
  free (t->calls);
}
