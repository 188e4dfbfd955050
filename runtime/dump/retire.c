/* SPDX-License-Identifier: MIT */
/* Counts are never decremented or set to 0, because a thread may be incrementing them at that
   moment.  Instead they are *settled*: a list remembers, by run-time addresses, how much to
   subtract from then on.  When an object is unloaded, the counts in it, and in calls from it, are
   settled, so the next object at the same addresses begins at 0.  They are also *retired*: kept by
   virtual addresses, which remain the object's own.  A reset settles everything and retires
   nothing.

   profile = gathered - settled + retired

   Both are lists with one item for each pair of addresses.  Their size depends on the program's
   code, not on how often a library is loaded and unloaded.  A child that is forked meanwhile finds
   each list either old or new, but complete, and resets both.  Context: cold, lock held. */
#include <errno.h>

#include "runtime/dump/dump.h"

/* Settle the gathered counts; without memory for that they are not retired either. */
static void
retire (struct bbp_counts *gathered, enum bbp_kind kind, const struct bbp_counts *entries,
        bool known)
{
  if (bbp_counts_keep (&bbp.settled[kind], gathered))
    {
      bbp.inexact = true;
      return;
    }
  bbp_calls_follow (gathered, entries);
  uint64_t all = bbp_counts_sum (gathered), lost = known ? bbp_counts_resolve (gathered) : all;
  if (known && bbp_counts_keep (&bbp.retired[kind], gathered))
    lost = all;
  if (kind == BBP_SAMPLES)
    bbp.lost_nowhere += lost;
  else
    bbp.lost_unloaded += lost;
}

void
bbp_retire (const struct bbp_object *object, bool known)
{
  struct bbp_counts entries = { 0 };
  if (bbp_calls_entries (&entries))
    bbp.inexact = true;
  for (enum bbp_kind kind = 0; kind < BBP_KINDS; kind++)
    {
      struct bbp_counts gathered = { 0 };
      if (bbp_gather (&gathered, kind, object) == 0)
        retire (&gathered, kind, &entries, known);
      else
        bbp.inexact = true;
      bbp_counts_free (&gathered);
    }
  bbp_counts_free (&entries);
}

int
bbp_merge_reset_samples (void)
{
  struct bbp_counts gathered = { 0 };
  bool kept = bbp_gather (&gathered, BBP_SAMPLES, NULL) == 0
              && bbp_counts_keep (&bbp.settled[BBP_SAMPLES], &gathered) == 0;
  bbp_counts_free (&gathered);
  bbp_counts_drop (&bbp.retired[BBP_SAMPLES], NULL);
  bbp_dump_above.reset_samples ();
  bbp.written = 0;
  bbp_dump_above.changed ();
  return kept ? 0 : -ENOMEM;
}

int
bbp_merge_reset (void)
{
  struct bbp_counts arcs = { 0 };
  int error = bbp_totals_take (&arcs);
  if (bbp_counts_keep (&bbp.settled[BBP_ARCS], &arcs))
    error = -ENOMEM;
  bbp_counts_free (&arcs);
  bbp_counts_drop (&bbp.retired[BBP_ARCS], NULL);
  if (bbp_blocks_reset ())
    error = -ENOMEM;
  bbp_totals_drop ();
  bbp_losses_reset ();
  return bbp_merge_reset_samples () ? -ENOMEM : error;
}
