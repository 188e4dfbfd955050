/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->hh.tbl = NULL)
#include <uthash.h>

#include "model/files/bbx_write.h"
#include "model/sums/sum_ranks.h"

struct sum_rank {
  struct {
    uint32_t size, rank;
  } key;
  struct bbx_rank fixed; /* all but the number of calls */
  struct bag calls, lists[BBX_RANK_LISTS];
  UT_hash_handle hh;
};

/* Items. */

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return a < b ? -1 : a > b;
}

static int
compare_calls (const void *a, const void *b, void *context)
{
  const struct bbx_rank_call *x = a, *y = b;
  (void) context;
  return x->site != y->site ? compare_numbers (x->site, y->site)
                            : compare_numbers (x->call, y->call);
}

static void
unite_calls (void *kept, void *other)
{
  struct bbx_rank_call *k = kept;
  const struct bbx_rank_call *o = other;
  k->calls += o->calls;
  k->nanoseconds += o->nanoseconds;
  k->bytes += o->bytes;
  k->judged += o->judged;
  k->last += o->last;
  k->spread += o->spread;
  k->waited += o->waited;
}

static int
compare_counts (const void *a, const void *b, void *context)
{
  (void) context;
  return compare_numbers (((const struct bbx_rank_count *) a)->address,
                          ((const struct bbx_rank_count *) b)->address);
}

static void
unite_counts (void *kept, void *other)
{
  ((struct bbx_rank_count *) kept)->count += ((const struct bbx_rank_count *) other)->count;
}

static const struct bag no_calls
    = { .size = sizeof (struct bbx_rank_call), .compare = compare_calls, .unite = unite_calls };
static const struct bag no_counts
    = { .size = sizeof (struct bbx_rank_count), .compare = compare_counts, .unite = unite_counts };

/* Ranks. */

static void
free_rank (struct sum_rank *r)
{
  free (r->calls.items);
  for (int i = 0; i < BBX_RANK_LISTS; i++)
    free (r->lists[i].items);
  free (r);
}

void
sum_ranks_free (struct sum_ranks *ranks)
{
  struct sum_rank *r, *next;
  HASH_ITER (hh, ranks->all, r, next)
  {
    HASH_DEL (ranks->all, r);
    free_rank (r);
  }
}

/* The rank of the sum for FIXED; null: out of memory. */
static struct sum_rank *
reach (struct sum_ranks *ranks, const struct bbx_rank *fixed)
{
  struct sum_rank *r = calloc (1, sizeof *r), *found;
  if (!r)
    return NULL;
  r->key.size = fixed->size;
  r->key.rank = fixed->rank;
  HASH_FIND (hh, ranks->all, &r->key, sizeof r->key, found);
  if (found)
    {
      free (r);
      return found;
    }
  r->fixed = (struct bbx_rank) { .rank = fixed->rank, .size = fixed->size };
  r->calls = no_calls;
  for (int i = 0; i < BBX_RANK_LISTS; i++)
    r->lists[i] = no_counts;
  HASH_ADD (hh, ranks->all, key, sizeof r->key, r);
  if (r->hh.tbl)
    return r;
  free_rank (r);
  return NULL;
}

static void
add_fixed (struct bbx_rank *to, const struct bbx_rank *fixed)
{
  to->flags |= fixed->flags;
  to->runs += fixed->runs;
  to->unlisted += fixed->unlisted;
  to->unjudged += fixed->unjudged;
  to->time += fixed->time;
}

static bool
add_rank (struct sum_rank *to, const struct bbx_run_rank *rank, const struct gmon_moves *moves,
          bool moved)
{
  add_fixed (&to->fixed, &rank->fixed);
  for (size_t i = 0; i < rank->ncalls; i++)
    {
      struct bbx_rank_call call = rank->calls[i];
      call.site = gmon_moved (moves, call.site);
      if (!bag_add (&to->calls, &call))
        return false;
    }
  for (int k = 0; k < BBX_RANK_LISTS; k++)
    for (size_t i = 0; i < rank->lists[k].n; i++)
      {
        struct bbx_rank_count item = rank->lists[k].items[i];
        item.address = moved ? item.address : gmon_moved (moves, item.address);
        if (!bag_add (&to->lists[k], &item))
          return false;
      }
  return true;
}

bool
sum_ranks_add (struct sum_ranks *sum, const struct bbx_ranks *ranks, const struct gmon_moves *moves,
               bool moved)
{
  for (size_t i = 0; i < ranks->n; i++)
    {
      struct sum_rank *to = reach (sum, &ranks->all[i].fixed);
      if (!to || !add_rank (to, &ranks->all[i], moves, moved))
        return false;
    }
  return true;
}

/* The counts of a rank's own profile. */

static bool
begin_list (struct bbx_rank_counts *list, size_t room)
{
  list->items = malloc ((room + 1) * sizeof *list->items);
  return list->items;
}

static void
put (struct bbx_rank_counts *list, uint64_t address, uint64_t count)
{
  if (count)
    list->items[list->n++] = (struct bbx_rank_count) { address, count };
}

static void
put_histogram (struct bbx_rank_counts *list, const struct histogram *h)
{
  for (size_t i = 0; i < h->nfilled; i++)
    put (list,
         h->low + (uint64_t) ((unsigned __int128) (h->high - h->low) * h->bins[i].index / h->nbins),
         h->bins[i].count);
}

bool
sum_ranks_take_counts (struct bbx_ranks *ranks, const struct profile *p)
{
  struct bbx_run_rank *rank = ranks->all;
  size_t filled = 0;
  if (ranks->n != 1 || rank->fixed.flags & BBX_RANK_COUNTS)
    return true;
  for (size_t i = 0; i < p->nhistograms; i++)
    filled += p->histograms[i].nfilled;
  if (!begin_list (&rank->lists[BBX_RANK_TICKS], filled)
      || !begin_list (&rank->lists[BBX_RANK_CALLS], p->ncalls)
      || !begin_list (&rank->lists[BBX_RANK_EXECUTIONS], p->nexecutions))
    return false;
  rank->fixed.flags |= BBX_RANK_COUNTS;
  for (size_t i = 0; i < p->nhistograms; i++)
    put_histogram (&rank->lists[BBX_RANK_TICKS], &p->histograms[i]);
  for (size_t i = 0; i < p->ncalls; i++)
    put (&rank->lists[BBX_RANK_CALLS], p->calls[i].self, p->calls[i].count);
  for (size_t i = 0; i < p->nexecutions; i++)
    put (&rank->lists[BBX_RANK_EXECUTIONS], p->executions[i].address, p->executions[i].count);
  return true;
}

/* The end. */

static bool
finish_rank (struct sum_rank *r, const struct gmon_moves *moves)
{
  struct bbx_rank_call *calls = r->calls.items;
  for (size_t i = 0; i < r->calls.count; i++)
    calls[i].site = gmon_moved (moves, calls[i].site);
  bag_disorder (&r->calls);
  for (int k = 0; k < BBX_RANK_LISTS; k++)
    {
      struct bbx_rank_count *items = r->lists[k].items;
      for (size_t i = 0; i < r->lists[k].count; i++)
        items[i].address = gmon_moved (moves, items[i].address);
      bag_disorder (&r->lists[k]);
      if (!bag_unite (&r->lists[k]))
        return false;
    }
  return bag_unite (&r->calls);
}

static int
compare_ranks (const struct sum_rank *a, const struct sum_rank *b)
{
  return a->key.size != b->key.size ? compare_numbers (a->key.size, b->key.size)
                                    : compare_numbers (a->key.rank, b->key.rank);
}

bool
sum_ranks_finish (struct sum_ranks *ranks, const struct gmon_moves *moves)
{
  for (struct sum_rank *r = ranks->all; r; r = r->hh.next)
    if (!finish_rank (r, moves))
      return false;
  HASH_SORT (ranks->all, compare_ranks);
  return true;
}

bool
sum_ranks_write (const struct sum_ranks *ranks, struct output *o)
{
  for (const struct sum_rank *r = ranks->all; r; r = r->hh.next)
    {
      struct bbx_run_rank rank
          = { .fixed = r->fixed, .calls = r->calls.items, .ncalls = r->calls.count };
      for (int k = 0; k < BBX_RANK_LISTS; k++)
        rank.lists[k] = (struct bbx_rank_counts) { r->lists[k].items, r->lists[k].count };
      if (!bbx_write_rank (o, &rank))
        return false;
    }
  return true;
}
