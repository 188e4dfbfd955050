/* SPDX-License-Identifier: MIT */
/* Makes the profile: all counts since the last reset, in virtual addresses.  Context: cold, lock
   held. */
#include <errno.h>

#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

/* Merge the counts of KIND: gathered from loaded objects, and retired from unloaded ones. */
static int
merge (struct bbp_counts *counts, enum bbp_kind kind, const struct bbp_counts *entries,
       uint64_t *lost)
{
  bbp_calls_follow (counts, entries);
  *lost = bbp_counts_resolve (counts);
  return bbp_counts_add (counts, bbp.retired[kind]);
}

/* In the executable, but outside of the profiled range: monstartup's bounds apply only to the
   executable. */
static bool
is_left_out (uintptr_t address)
{
  const struct bbp_object *executable = bbp_object_executable ();
  return address - executable->start < executable->end - executable->start
         && address + executable->bias - bbp.low >= bbp.high - bbp.low;
}

/* Move jumps, which were counted as arcs, to a list of their own. */
static int
take_jumps (struct bbp_profile *profile)
{
  struct bbp_counts *arcs = &profile->arcs;
  size_t kept = 0;
  int error = bbp_counts_make (&profile->jumps, arcs->n + 1);
  for (size_t i = 0; i < arcs->n && !error; i++)
    {
      struct bbp_count arc = arcs->item[i];
      if (arc.from & BBP_ARC_JUMP)
        bbp_counts_append (&profile->jumps, arc.from, arc.self, arc.count);
      else
        arcs->item[kept++] = arc;
    }
  arcs->n = error ? arcs->n : kept;
  return error;
}

/* Keep the calls and samples of profiled functions; a caller that is not profiled becomes 0, "from
   outside". */
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

/* Upper bound of calls that were counted and had not reached the callee: one for each interrupted
   thread. */
static uint64_t
calls_in_progress (void)
{
  const struct bbp_in_flight *list;
  uint64_t calls = 0;
  for (size_t n = bbp_totals_in_flight (&list); n--;)
    calls += (uint64_t) (list[n].weight < 0 ? -list[n].weight : list[n].weight);
  return calls;
}

/* Add direct calls to the counted arcs, and calls from outside for the remaining entries. */
static int
merge_calls (struct bbp_profile *profile)
{
  struct bbp_flow *flow = &profile->flow;
  bbp_counts_unite (&flow->list[BBP_CALLS]);
  if (bbp.calls_not_made)
    bbp_counts_subtract (&profile->arcs, bbp.calls_not_made);
  int error = bbp_counts_add (&profile->arcs, &flow->list[BBP_CALLS]);
  uint64_t lack = 0, expected = calls_in_progress ();
  if (!error)
    error = bbp_calls_complete (&profile->arcs, &flow->list[BBP_ENTRIES], &lack);
  flow->lost += lack > expected ? lack - expected : 0;
  return error;
}

static int
merge_all (struct bbp_profile *profile, struct bbp_counts *entries)
{
  int error = bbp_totals_take (&profile->arcs);
  if (!error)
    error = bbp_gather (&profile->samples, BBP_SAMPLES, NULL);
  if (!error)
    error = bbp_calls_entries (entries);
  if (!error)
    error = merge (&profile->arcs, BBP_ARCS, entries, &profile->lost_unloaded);
  if (!error)
    error = take_jumps (profile);
  if (!error)
    error = merge (&profile->samples, BBP_SAMPLES, entries, &profile->lost_nowhere);
  if (!error)
    error = bbp_blocks_merge (&profile->flow, entries);
  return error ? error : merge_calls (profile);
}

/* The sampled stacks; if no calls were counted, also arcs computed from them. */
static int
merge_tree (struct bbp_profile *profile)
{
  int error = bbp_tree_take (&profile->tree);
  profile->estimated = !error && profile->tree.n && !profile->arcs.n;
  return profile->estimated ? bbp_tree_arcs (&profile->arcs, &profile->tree) : error;
}

int
bbp_merge (struct bbp_profile *profile)
{
  struct bbp_counts entries = { 0 };
  bbp_objects_find_counted ();
  *profile = (struct bbp_profile) { 0 };
  int error = merge_all (profile, &entries);
  bbp_totals_drop ();
  bbp_counts_free (&entries);
  if (!error)
    error = merge_tree (profile);
  if (error)
    {
      bbp_merge_free (profile);
      return error;
    }
  keep_profiled (&profile->arcs);
  keep_profiled (&profile->samples);
  profile->calls = bbp_counts_sum (&profile->arcs);
  profile->sampled = bbp_counts_sum (&profile->samples);
  profile->executions = bbp_counts_sum (&profile->flow.list[BBP_BLOCKS]);
  profile->sum = profile->calls + profile->executions + profile->sampled;
  bbp_samples_scale (&profile->samples);
  return 0;
}

void
bbp_merge_free (struct bbp_profile *profile)
{
  bbp_counts_free (&profile->arcs);
  bbp_counts_free (&profile->samples);
  bbp_counts_free (&profile->jumps);
  bbp_tree_free (&profile->tree);
  bbp_flow_free (&profile->flow);
}
