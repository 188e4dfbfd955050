/* SPDX-License-Identifier: MIT */
/* What has been counted is never set back, because a thread may be in the middle of adding one.
   Instead it is *settled*: remembered, by run-time addresses, as counted so far, and subtracted
   from then on.  When an object leaves, what was counted in it, and in calls from it, is
   settled, so that whoever comes to the same addresses begins with nothing; and *retired*: kept
   by virtual addresses, which stay the object's own.  A reset settles everything and retires
   nothing.

   profile = gathered - settled + retired

   A child that is forked meanwhile finds a whole list in either place, and resets both.

   Both are lists with one item for each pair of addresses, so they grow with the program's code
   and not with the number of times that a library comes and goes.  Context: cold, lock held. */
#include <errno.h>

#include "runtime/dump/dump.h"

/* Settle what was gathered; if that cannot be remembered, it is not retired either. */
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
