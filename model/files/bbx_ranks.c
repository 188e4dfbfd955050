/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/files/bbx_numbers.h"
#include "model/files/bbx_ranks.h"
#include "model/files/bbx_stacks.h"

static const char damaged[] = "damaged description of a rank";

/* The shortest items that the rest of a chunk can have, in bytes. */
enum { CALL_BYTES = 9, COUNT_BYTES = 2 };

struct rest {
  const unsigned char *next, *stop;
};

static bool
take (struct rest *r, uint64_t *value)
{
  return bbx_number (&r->next, r->stop, value);
}

/* An address, as a difference to the previous one. */
static bool
take_address (struct rest *r, uint64_t *before, uint64_t *address)
{
  uint64_t difference;
  if (!take (r, &difference))
    return false;
  *address = *before += bbx_unfold (difference);
  return true;
}

static bool
take_call (struct rest *r, uint64_t *before, struct bbx_rank_call *c)
{
  return take_address (r, before, &c->site) && take (r, &c->call) && take (r, &c->calls)
         && take (r, &c->nanoseconds) && take (r, &c->bytes) && take (r, &c->judged)
         && take (r, &c->last) && take (r, &c->spread) && take (r, &c->waited);
}

static const char *
take_calls (struct rest *r, struct bbx_run_rank *rank)
{
  uint64_t before = 0;
  if (rank->fixed.calls > (uint64_t) (r->stop - r->next) / CALL_BYTES)
    return damaged;
  rank->calls = malloc ((size_t) (rank->fixed.calls + 1) * sizeof *rank->calls);
  if (!rank->calls)
    return bbx_stacks_no_memory;
  for (; rank->ncalls < rank->fixed.calls; rank->ncalls++)
    if (!take_call (r, &before, &rank->calls[rank->ncalls]))
      return damaged;
  return NULL;
}

static const char *
take_list (struct rest *r, struct bbx_rank_counts *list)
{
  uint64_t n, before = 0;
  if (!take (r, &n) || n > (uint64_t) (r->stop - r->next) / COUNT_BYTES)
    return damaged;
  list->items = malloc ((size_t) (n + 1) * sizeof *list->items);
  if (!list->items)
    return bbx_stacks_no_memory;
  for (; list->n < n; list->n++)
    if (!take_address (r, &before, &list->items[list->n].address)
        || !take (r, &list->items[list->n].count))
      return damaged;
  return NULL;
}

static const char *
take_rank (struct rest *r, struct bbx_run_rank *rank)
{
  if (rank->fixed.rank >= rank->fixed.size || rank->fixed.runs == 0)
    return damaged;
  const char *wrong = take_calls (r, rank);
  for (int i = 0; !wrong && rank->fixed.flags & BBX_RANK_COUNTS && i < BBX_RANK_LISTS; i++)
    wrong = take_list (r, &rank->lists[i]);
  return wrong;
}

const char *
bbx_ranks_add (struct bbx_ranks *ranks, const char *content, size_t size)
{
  struct bbx_run_rank new = { .calls = NULL };
  if (size < sizeof new.fixed)
    return damaged;
  memcpy (&new.fixed, content, sizeof new.fixed);
  struct rest rest = { (const unsigned char *) content + sizeof new.fixed,
                       (const unsigned char *) content + size };
  const char *wrong = take_rank (&rest, &new);
  if (!wrong && !array_grow (&ranks->all, ranks->n, &ranks->room, sizeof *ranks->all))
    wrong = bbx_stacks_no_memory;
  if (wrong)
    bbx_rank_free (&new);
  else
    ranks->all[ranks->n++] = new;
  return wrong;
}

void
bbx_ranks_move (struct bbx_ranks *ranks, const struct gmon_moves *moves)
{
  for (size_t i = 0; i < ranks->n; i++)
    {
      struct bbx_run_rank *rank = &ranks->all[i];
      for (size_t k = 0; k < rank->ncalls; k++)
        rank->calls[k].site = gmon_moved (moves, rank->calls[k].site);
      for (int list = 0; list < BBX_RANK_LISTS; list++)
        for (size_t k = 0; k < rank->lists[list].n; k++)
          rank->lists[list].items[k].address
              = gmon_moved (moves, rank->lists[list].items[k].address);
    }
}

void
bbx_rank_free (struct bbx_run_rank *rank)
{
  free (rank->calls);
  for (int i = 0; i < BBX_RANK_LISTS; i++)
    free (rank->lists[i].items);
}

void
bbx_ranks_free (struct bbx_ranks *ranks)
{
  for (size_t i = 0; i < ranks->n; i++)
    bbx_rank_free (&ranks->all[i]);
  free (ranks->all);
}

const char *
bbx_rank_call_name (uint64_t call)
{
#define NAME(name) "MPI_" #name,
  static const char *const names[] = { NULL, BBM_CALLS (NAME) };
  static char unknown[32];
  if (call > 0 && call < BBM_END)
    return names[call];
  snprintf (unknown, sizeof unknown, "MPI function %" PRIu64, call);
  return unknown;
}
