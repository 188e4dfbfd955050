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

/* The newest table of a thread; the others follow by their OLDER. */
static const struct bbp_arc_table *
tables_of (const struct bbp_thread *thread)
{
  return __atomic_load_n (&thread->newest, __ATOMIC_ACQUIRE);
}

static size_t
count_slots (void)
{
  size_t n = 0;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (const struct bbp_arc_table *table = tables_of (thread); table; table = table->older)
      n += __atomic_load_n (&table->used, __ATOMIC_RELAXED);
  return n;
}

static void
append_table (struct bbp_arcs *arcs, const struct bbp_arc_table *table)
{
  for (size_t i = 0; i < slots_of (table) && arcs->n < arcs->bytes / sizeof *arcs->arc; i++)
    {
      const struct bbp_arc *arc = &table->slots[i];
      uintptr_t self = __atomic_load_n (&arc->self, __ATOMIC_ACQUIRE); /* pairs with the release in arc.c */
      uint64_t count = __atomic_load_n (&arc->count, __ATOMIC_RELAXED);
      if (self && count)
        arcs->arc[arcs->n++] = (struct bbp_arc) { .from = arc->from, .self = self, .count = count };
    }
}

static void
append_tables (struct bbp_arcs *arcs)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (const struct bbp_arc_table *table = tables_of (thread); table; table = table->older)
      append_table (arcs, table);
}

/* Room for SLOTS arcs, and for those that running threads find meanwhile. */
static int
make_arcs (struct bbp_arcs *arcs, size_t slots)
{
  arcs->n = 0;
  arcs->bytes = (slots + 1024) * sizeof *arcs->arc;
  arcs->arc = bbp_pages_map (arcs->bytes);
  return arcs->arc ? 0 : -ENOMEM;
}

static void
free_arcs (struct bbp_arcs *arcs)
{
  bbp_pages_unmap (arcs->arc, arcs->bytes);
  arcs->arc = NULL;
}

/* All arcs of all threads since the start of the process. */
static int
gather_arcs (struct bbp_arcs *arcs)
{
  int error = make_arcs (arcs, count_slots ());
  if (error)
    return error;
  append_tables (arcs);
  arcs->n = sort_and_unite (arcs->arc, arcs->n);
  return 0;
}

/* How often each function was entered, whoever called it: ARCS as arcs from 0. */
static int
gather_entries (struct bbp_arcs *entries, const struct bbp_arcs *arcs)
{
  int error = make_arcs (entries, arcs->n);
  if (error)
    return error;
  for (size_t i = 0; i < arcs->n; i++)
    {
      entries->arc[i] = arcs->arc[i];
      entries->arc[i].from = 0;
    }
  entries->n = sort_and_unite (entries->arc, arcs->n);
  return 0;
}

/* ARCS less BASELINE, all of whose arcs are among them. */
static void
subtract_baseline (struct bbp_arcs *arcs, const struct bbp_arcs *baseline)
{
  size_t b = 0;
  for (size_t i = 0; i < arcs->n && b < baseline->n; i++)
    if (arcs->arc[i].from == baseline->arc[b].from && arcs->arc[i].self == baseline->arc[b].self)
      arcs->arc[i].count -= baseline->arc[b++].count;
}

static uint64_t
entries_of (const struct bbp_arcs *entries, uintptr_t self)
{
  size_t low = 0, high = entries->n;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (entries->arc[middle].self < self)
        low = middle + 1;
      else
        high = middle;
    }
  return low < entries->n && entries->arc[low].self == self ? entries->arc[low].count : 0;
}

/* Keep the calls of profiled functions; a caller that is not profiled becomes 0, "from outside". */
static void
keep_profiled (struct bbp_arcs *arcs)
{
  size_t kept = 0;
  for (size_t i = 0; i < arcs->n; i++)
    {
      struct bbp_arc arc = arcs->arc[i];
      if (!arc.count || arc.self - bbp.low >= bbp.high - bbp.low)
        continue;
      if (arc.from - bbp.low >= bbp.high - bbp.low)
        arc.from = 0;
      arcs->arc[kept++] = arc;
    }
  arcs->n = sort_and_unite (arcs->arc, kept);
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

/* What has been counted of a module's blocks: the counters' totals, and the entries of its functions. */
struct counted {
  const struct bbp_module *module;
  const long *totals;
  const struct bbp_arcs *entries;
};

/* Append the executed blocks of one stretch of code (struct bbp_map_range). */
static size_t
append_range (struct bbp_block_count *blocks, size_t n, const struct bbp_map_range *range, const struct counted *counted)
{
  uint32_t nblocks = range->nblocks & ~BBP_MAP_BY_CALLS;
  uintptr_t address = (uintptr_t) &range->text + (intptr_t) range->text, distance;
  const long *counter = (const long *) ((uintptr_t) &range->counts + (intptr_t) range->counts);
  const unsigned char *p = (const unsigned char *) (range + 1);
  for (uint32_t i = 0; i < nblocks; i++)
    {
      if (i)
        {
          p = read_leb128 (p, &distance);
          address += distance;
        }
      bool by_calls = i == 0 && (range->nblocks & BBP_MAP_BY_CALLS);
      uint64_t count = by_calls ? entries_of (counted->entries, address)
                                : (uint64_t) counted->totals[counter + i - counted->module->counts_start];
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
gather_blocks (struct bbp_profile *profile, const struct bbp_arcs *entries)
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
  struct counted counted = { module, totals, entries };
  for (const char *p = module->map_start; p < module->map_stop;)
    {
      const struct bbp_map_range *range = (const struct bbp_map_range *) p;
      profile->nblocks = append_range (profile->blocks, profile->nblocks, range, &counted);
      p += sizeof *range + range->bytes;
    }
  bbp_pages_unmap (totals, ncounts * sizeof *totals);
  return 0;
}

static uint64_t
sum_of (const struct bbp_profile *profile)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < profile->arcs.n; i++)
    sum += profile->arcs.arc[i].count;
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
  struct bbp_arcs entries = { 0 };
  int error = gather_arcs (&profile->arcs);
  if (!error)
    {
      subtract_baseline (&profile->arcs, &bbp.arcs_baseline);
      error = gather_entries (&entries, &profile->arcs);
    }
  if (!error)
    {
      keep_profiled (&profile->arcs);
      error = gather_blocks (profile, &entries);
    }
  free_arcs (&entries);
  if (error)
    bbp_merge_free (profile);
  else
    profile->sum = sum_of (profile);
  return error;
}

void
bbp_merge_free (struct bbp_profile *profile)
{
  free_arcs (&profile->arcs);
  bbp_pages_unmap (profile->blocks, profile->blocks_bytes);
}

int
bbp_merge_reset (void)
{
  struct bbp_arcs arcs;
  if (gather_arcs (&arcs))
    return -ENOMEM;
  free_arcs (&bbp.arcs_baseline);
  bbp.arcs_baseline = arcs;
  int error = 0;
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    {
      bbp_pages_unmap (module->baseline, bbp_module_ncounts (module) * sizeof *module->baseline);
      if (!(module->baseline = module_totals (module)))
        error = -ENOMEM;
    }
  bbp_histogram_clear ();
  bbp.written = 0;
  return error;
}
