/* SPDX-License-Identifier: MIT */
/* The totals of a module's counters over all threads.  Context: cold, lock held. */
#include <errno.h>

#include "internal.h"

/* TOTALS += what MODULE's counters hold, in place and in all copies. */
static void
add_counts (long *totals, const struct bbp_module *module)
{
  size_t n = bbp_module_ncounts (module);
  for (size_t i = 0; i < n; i++)
    totals[i] += __atomic_load_n (&module->counts_start[i], __ATOMIC_RELAXED);
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (struct bbp_copy *copy = __atomic_load_n (&thread->copies, __ATOMIC_ACQUIRE); copy; copy = copy->next)
      if (copy->module == module)
        for (size_t i = 0; i < n; i++)
          totals[i] += __atomic_load_n (&copy->counts[i], __ATOMIC_RELAXED);
}

/* All that MODULE has counted, whatever was reset. */
static long *
make_whole (const struct bbp_module *module)
{
  long *totals = bbp_pages_map (bbp_module_ncounts (module) * sizeof *totals);
  if (totals)
    add_counts (totals, module);
  return totals;
}

long *
bbp_totals_make (const struct bbp_module *module)
{
  long *totals = make_whole (module);
  for (size_t i = 0; totals && module->baseline && i < bbp_module_ncounts (module); i++)
    totals[i] -= module->baseline[i];
  return totals;
}

void
bbp_totals_free (long *totals, const struct bbp_module *module)
{
  bbp_pages_unmap (totals, bbp_module_ncounts (module) * sizeof *totals);
}

int
bbp_totals_reset (struct bbp_module *module)
{
  long *old = module->baseline, *now = make_whole (module);
  __atomic_store_n (&module->baseline, now, __ATOMIC_RELEASE); /* for a child that is forked at this moment */
  bbp_totals_free (old, module);
  return now ? 0 : -ENOMEM;
}
