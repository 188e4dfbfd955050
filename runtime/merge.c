/* SPDX-License-Identifier: MIT */
/* The profile: all that was counted since the last reset, in virtual addresses.  Context: cold, lock held. */
#include <errno.h>

#include "internal.h"

/* What was counted of KIND, by objects that are there and by others. */
static int
merge (struct bbp_counts *counts, enum bbp_kind kind, uint64_t *lost)
{
  int error = bbp_gather (counts, kind, NULL);
  if (error)
    return error;
  *lost = bbp_counts_resolve (counts);
  return bbp_counts_add (counts, bbp.retired[kind]);
}

/* How often each function was entered: as arcs from 0. */
static int
make_entries (struct bbp_counts *entries, const struct bbp_counts *arcs)
{
  int error = bbp_counts_make (entries, arcs->n + 1);
  if (error)
    return error;
  for (size_t i = 0; i < arcs->n; i++)
    bbp_counts_append (entries, 0, arcs->item[i].self, arcs->item[i].count);
  bbp_counts_unite (entries);
  return 0;
}

/* In the executable, but not in the part of it that is profiled: monstartup's bounds are for the executable only. */
static bool
is_left_out (uintptr_t address)
{
  const struct bbp_object *executable = bbp_object_executable ();
  return address - executable->start < executable->end - executable->start
         && address + executable->bias - bbp.low >= bbp.high - bbp.low;
}

/* Keep the calls and samples of profiled functions; a caller that is not profiled becomes 0, "from outside". */
static void
keep_profiled (struct bbp_counts *counts)
{
  size_t kept = 0;
  for (size_t i = 0; i < counts->n; i++)
    {
      struct bbp_count count = counts->item[i];
      if (is_left_out (count.self))
        continue;
      if (is_left_out (count.from))
        count.from = 0;
      counts->item[kept++] = count;
    }
  counts->n = kept;
  bbp_counts_unite (counts);
}

static int
merge_all (struct bbp_profile *profile, struct bbp_counts *entries)
{
  int error = merge (&profile->arcs, BBP_ARCS, &profile->lost_unloaded);
  if (!error)
    error = merge (&profile->samples, BBP_SAMPLES, &profile->lost_nowhere);
  if (!error)
    error = make_entries (entries, &profile->arcs);
  if (!error)
    error = bbp_blocks_merge (profile, entries);
  return error;
}

int
bbp_merge (struct bbp_profile *profile)
{
  struct bbp_counts entries = { 0 };
  bbp_objects_ask ();
  *profile = (struct bbp_profile) { 0 };
  int error = merge_all (profile, &entries);
  bbp_counts_free (&entries);
  if (error)
    {
      bbp_merge_free (profile);
      return error;
    }
  keep_profiled (&profile->arcs);
  keep_profiled (&profile->samples);
  profile->calls = bbp_counts_sum (&profile->arcs);
  profile->sampled = bbp_counts_sum (&profile->samples);
  for (size_t i = 0; i < profile->nblocks; i++)
    profile->executions += profile->blocks[i].count;
  profile->sum = profile->calls + profile->executions + profile->sampled;
  return 0;
}

void
bbp_merge_free (struct bbp_profile *profile)
{
  bbp_counts_free (&profile->arcs);
  bbp_counts_free (&profile->samples);
  bbp_pages_unmap (profile->blocks, profile->blocks_bytes);
}
