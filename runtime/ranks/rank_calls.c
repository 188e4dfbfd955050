/* SPDX-License-Identifier: MIT */
/* The calls of MPI of this process, in a table of fixed size: a place for each pair of function and
   call site.  All threads add to it by atomic operations; none waits.  Context: hot, unless stated
   otherwise. */
#include "runtime/ranks/rank.h"

struct bbp_place *bbp_rank_places;
struct bbx_rank bbp_rank = { .runs = 1 };
uint64_t bbp_rank_began;

static void
add (uint64_t *to, uint64_t value)
{
  __atomic_fetch_add (to, value, __ATOMIC_RELAXED);
}

/* Cold. */
void
bbp_ranks_set (unsigned rank, unsigned size)
{
  if (!bbp_rank_places)
    bbp_rank_places = bbp_pages_map (BBP_RANK_PLACES * sizeof *bbp_rank_places);
  bbp_rank.rank = rank;
  bbp_rank.size = size;
  bbp_rank_began = bbp_clock_now ();
}

/* The place of KEY, which is taken if it is free; null: no room. */
static struct bbp_place *
find (uint64_t key)
{
  uint64_t hash = key * 0x9e3779b97f4a7c15;
  for (unsigned i = 0; bbp_rank_places && i < BBP_RANK_PLACES; i++)
    {
      struct bbp_place *place = &bbp_rank_places[((hash >> 32) + i) % BBP_RANK_PLACES];
      uint64_t found = __atomic_load_n (&place->key, __ATOMIC_RELAXED);
      if (found == key
          || (found == 0
              && (__atomic_compare_exchange_n (&place->key, &found, key, false, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED)
                  || found == key)))
        return place;
    }
  return NULL;
}

unsigned
bbp_ranks_call (enum bbm_call call, const void *site, uint64_t nanoseconds, uint64_t bytes)
{
  struct bbp_place *place = find ((uint64_t) (uintptr_t) site << BBP_RANK_SITE | call);
  if (!place)
    {
      add (&bbp_rank.unlisted, 1);
      return 0;
    }
  add (&place->calls, 1);
  add (&place->nanoseconds, nanoseconds);
  add (&place->bytes, bytes);
  return (unsigned) (place - bbp_rank_places) + 1;
}

void
bbp_ranks_judge (unsigned place, uint64_t waited, uint64_t spread, int last)
{
  struct bbp_place *p = place ? &bbp_rank_places[place - 1] : NULL;
  if (!p)
    return;
  add (&p->judged, 1);
  add (&p->waited, waited);
  if (last)
    {
      add (&p->last, 1);
      add (&p->spread, spread);
    }
}

void
bbp_ranks_leave_unjudged (uint64_t n)
{
  add (&bbp_rank.unjudged, n);
}

/* Keys stay, because another thread may be adding. */
void
bbp_ranks_reset (void)
{
  for (unsigned i = 0; bbp_rank_places && i < BBP_RANK_PLACES; i++)
    {
      struct bbp_place *p = &bbp_rank_places[i];
      p->calls = p->nanoseconds = p->bytes = p->judged = p->last = p->spread = p->waited = 0;
    }
  bbp_rank.unlisted = bbp_rank.unjudged = 0;
  bbp_rank_began = bbp_clock_now ();
}
