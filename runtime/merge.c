/* SPDX-License-Identifier: MIT */
/* The one reader of other threads' blocks: adds up what all threads have counted, less what had been counted at the last
   reset.  Nobody is stopped meanwhile; each count is read once.  Counts are never set back, because a thread might be in
   the middle of adding one: a reset only remembers where they stood.  Context: cold, lock held. */
#include <errno.h>

#include "internal.h"

static bool
arc_less (const struct bbp_arc *a, const struct bbp_arc *b)
{
  return a->from != b->from ? a->from < b->from : a->self < b->self;
}

static void
sift_down (struct bbp_arc *arcs, size_t root, size_t n)
{
  struct bbp_arc moved = arcs[root];
  for (size_t child; (child = 2 * root + 1) < n; root = child)
    {
      if (child + 1 < n && arc_less (&arcs[child], &arcs[child + 1]))
        child++;
      if (!arc_less (&moved, &arcs[child]))
        break;
      arcs[root] = arcs[child];
    }
  arcs[root] = moved;
}

/* Heap sort: in place, no recursion, no allocation, which libc's qsort does not promise. */
static void
sort_arcs (struct bbp_arc *arcs, size_t n)
{
  for (size_t i = n / 2; i-- > 0;)
    sift_down (arcs, i, n);
  for (size_t end = n; end-- > 1;)
    {
      struct bbp_arc largest = arcs[0];
      arcs[0] = arcs[end];
      arcs[end] = largest;
      sift_down (arcs, 0, end);
    }
}

/* Sort and add up equal ones; returns how many are left. */
static size_t
sort_and_unite (struct bbp_arc *arcs, size_t n)
{
  sort_arcs (arcs, n);
  size_t last = 0;
  for (size_t i = 1; i < n; i++)
    if (arcs[i].from == arcs[last].from && arcs[i].self == arcs[last].self)
      arcs[last].count += arcs[i].count;
    else
      arcs[++last] = arcs[i];
  return n ? last + 1 : 0;
}

static size_t
slots_of (const struct bbp_arc_table *table)
{
  return table->mask / sizeof (struct bbp_arc) + 1;
}

static size_t
append_table (struct bbp_arc *arcs, size_t n, size_t most, const struct bbp_arc_table *table)
{
  for (size_t i = 0; i < slots_of (table) && n < most; i++)
    {
      const struct bbp_arc *arc = &table->slots[i];
      uintptr_t self = __atomic_load_n (&arc->self, __ATOMIC_ACQUIRE); /* pairs with the release in arc.c */
      uint64_t count = __atomic_load_n (&arc->count, __ATOMIC_RELAXED);
      if (self && count)
        arcs[n++] = (struct bbp_arc) { .from = arc->from, .self = self, .count = count };
    }
  return n;
}

/* All arcs of all threads since the start of the process, sorted and unique, in a new mapping. */
static int
gather_arcs (struct bbp_arc **arcs, size_t *narcs, size_t *bytes)
{
  size_t most = 0;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (const struct bbp_arc_table *table = __atomic_load_n (&thread->newest, __ATOMIC_ACQUIRE); table; table = table->older)
      most += __atomic_load_n (&table->used, __ATOMIC_RELAXED);
  most += 1024; /* those that running threads find meanwhile */
  *bytes = most * sizeof **arcs;
  *arcs = bbp_pages_map (*bytes);
  if (!*arcs)
    return -ENOMEM;
  size_t n = 0;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (const struct bbp_arc_table *table = __atomic_load_n (&thread->newest, __ATOMIC_ACQUIRE); table; table = table->older)
      n = append_table (*arcs, n, most, table);
  *narcs = sort_and_unite (*arcs, n);
  return 0;
}

/* ARCS less the baseline; every arc of the baseline is among them. */
static void
subtract_baseline (struct bbp_arc *arcs, size_t n)
{
  size_t b = 0;
  for (size_t i = 0; i < n && b < bbp.arcs_baseline_count; i++)
    if (arcs[i].from == bbp.arcs_baseline[b].from && arcs[i].self == bbp.arcs_baseline[b].self)
      arcs[i].count -= bbp.arcs_baseline[b++].count;
}

/* Keep the calls of profiled functions; a caller that is not profiled becomes 0, "from outside". */
static size_t
keep_profiled (struct bbp_arc *arcs, size_t n)
{
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    {
      struct bbp_arc arc = arcs[i];
      if (!arc.count || arc.self - bbp.low >= bbp.high - bbp.low)
        continue;
      if (arc.from - bbp.low >= bbp.high - bbp.low)
        arc.from = 0;
      arcs[kept++] = arc;
    }
  return sort_and_unite (arcs, kept);
}

/* TOTALS += what MODULE's counters hold, in place and in all copies. */
static void
add_counts (long *totals, struct bbp_module *module)
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

static const unsigned char *
read_leb128 (const unsigned char *p, uintptr_t *value)
{
  unsigned shift = 0;
  *value = 0;
  do
    *value |= (uintptr_t) (*p & 0x7f) << shift, shift += 7;
  while (*p++ & 0x80);
  return p;
}

/* Append the executed blocks of one stretch of code (struct bbp_map_range). */
static size_t
append_range (struct bbp_block_count *blocks, size_t n, const struct bbp_map_range *range, const struct bbp_module *module,
              const long *totals)
{
  uintptr_t address = (uintptr_t) &range->text + (intptr_t) range->text, distance;
  const long *counter = (const long *) ((uintptr_t) &range->counts + (intptr_t) range->counts);
  const unsigned char *p = (const unsigned char *) (range + 1);
  for (uint32_t i = 0; i < range->nblocks; i++)
    {
      if (i)
        {
          p = read_leb128 (p, &distance);
          address += distance;
        }
      uint64_t count = totals[counter + i - module->counts_start];
      if (count)
        blocks[n++] = (struct bbp_block_count) { address, count };
    }
  return n;
}

static bool
is_historic (const struct bb *unit)
{
  return !BBP_IS_EXTENDED (unit) && unit->addresses;
}

/* Append the executed blocks of units whose tables follow the historic layout: they count in place, and say where
   their blocks are. */
static size_t
append_historic (struct bbp_block_count *blocks, size_t n)
{
  for (struct bb *unit = __bb_head; unit; unit = unit->next)
    for (long i = 0; is_historic (unit) && i < unit->ncounts; i++)
      {
        uint64_t count = __atomic_load_n (&unit->counts[i], __ATOMIC_RELAXED);
        if (count)
          blocks[n++] = (struct bbp_block_count) { unit->addresses[i], count };
      }
  return n;
}

/* The totals of MODULE in a new mapping of its number of counters; null: no memory. */
static long *
module_totals (struct bbp_module *module)
{
  long *totals = bbp_pages_map (bbp_module_ncounts (module) * sizeof *totals);
  if (totals)
    add_counts (totals, module);
  return totals;
}

static int
gather_blocks (struct bbp_profile *profile)
{
  struct bbp_module *module = bbp_module_executable ();
  size_t ncounts = module ? bbp_module_ncounts (module) : 0, most = ncounts;
  for (struct bb *unit = __bb_head; unit; unit = unit->next)
    if (is_historic (unit))
      most += unit->ncounts;
  if (most == 0)
    return 0;
  profile->blocks_bytes = most * sizeof *profile->blocks;
  profile->blocks = bbp_pages_map (profile->blocks_bytes);
  if (!profile->blocks)
    return -ENOMEM;
  profile->nblocks = append_historic (profile->blocks, 0);
  if (!module)
    return 0;
  long *totals = module_totals (module);
  if (!totals)
    return -ENOMEM;
  for (size_t i = 0; module->baseline && i < ncounts; i++)
    totals[i] -= module->baseline[i];
  for (const char *p = module->map_start; p < module->map_stop;)
    {
      const struct bbp_map_range *range = (const struct bbp_map_range *) p;
      profile->nblocks = append_range (profile->blocks, profile->nblocks, range, module, totals);
      p += sizeof *range + range->bytes;
    }
  bbp_pages_unmap (totals, ncounts * sizeof *totals);
  return 0;
}

static uint64_t
sum_of (const struct bbp_profile *profile)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < profile->narcs; i++)
    sum += profile->arcs[i].count;
  for (size_t i = 0; i < profile->nblocks; i++)
    sum += profile->blocks[i].count;
  size_t nbins;
  const uint32_t *bins = bbp_histogram_bins (&nbins);
  for (size_t i = 0; i < nbins; i++)
    sum += bins[i];
  return sum;
}

int
bbp_merge (struct bbp_profile *profile)
{
  *profile = (struct bbp_profile) { 0 };
  int error = gather_arcs (&profile->arcs, &profile->narcs, &profile->arcs_bytes);
  if (!error)
    {
      subtract_baseline (profile->arcs, profile->narcs);
      profile->narcs = keep_profiled (profile->arcs, profile->narcs);
      error = gather_blocks (profile);
    }
  if (error)
    bbp_merge_free (profile);
  else
    profile->sum = sum_of (profile);
  return error;
}

void
bbp_merge_free (struct bbp_profile *profile)
{
  bbp_pages_unmap (profile->arcs, profile->arcs_bytes);
  bbp_pages_unmap (profile->blocks, profile->blocks_bytes);
}

/* The baselines of before are left behind: there are few resets, and no reader is in doubt about what it reads. */
int
bbp_merge_reset (void)
{
  size_t bytes;
  struct bbp_arc *arcs;
  size_t narcs;
  int error = gather_arcs (&arcs, &narcs, &bytes);
  if (error)
    return error;
  bbp.arcs_baseline = arcs;
  bbp.arcs_baseline_count = narcs;
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    if (!(module->baseline = module_totals (module)))
      error = -ENOMEM;
  bbp_histogram_clear ();
  bbp.written = 0;
  return error;
}
