/* SPDX-License-Identifier: MIT */
/* Lists of counts, each in a mapping of its own: sort, add, subtract.  Context: cold. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"

static bool
less (const struct bbp_count *a, const struct bbp_count *b)
{
  return a->from != b->from ? a->from < b->from : a->self < b->self;
}

static bool
same (const struct bbp_count *a, const struct bbp_count *b)
{
  return a->from == b->from && a->self == b->self;
}

static void
sift_down (struct bbp_count *counts, size_t root, size_t n)
{
  struct bbp_count moved = counts[root];
  for (size_t child; (child = 2 * root + 1) < n; root = child)
    {
      if (child + 1 < n && less (&counts[child], &counts[child + 1]))
        child++;
      if (!less (&moved, &counts[child]))
        break;
      counts[root] = counts[child];
    }
  counts[root] = moved;
}

/* Heap sort: in place, without memory. */
static void
sort_in_place (struct bbp_count *counts, size_t n)
{
  for (size_t i = n / 2; i-- > 0;)
    sift_down (counts, i, n);
  for (size_t end = n; end-- > 1;)
    {
      struct bbp_count largest = counts[0];
      counts[0] = counts[end];
      counts[end] = largest;
      sift_down (counts, 0, end);
    }
}

/* The end of the ascending run that begins at FIRST. */
static size_t
run_end (const struct bbp_count *counts, size_t first, size_t n)
{
  while (++first < n && !less (&counts[first], &counts[first - 1]))
    continue;
  return first < n ? first : n;
}

/* Merges each two runs into one; returns the number of runs. */
static size_t
merge_runs (const struct bbp_count *from, struct bbp_count *to, size_t n)
{
  size_t runs = 0;
  for (size_t begin = 0, middle, end; begin < n; begin = end, runs++)
    {
      middle = run_end (from, begin, n);
      end = middle < n ? run_end (from, middle, n) : n;
      for (size_t i = begin, j = middle; i < middle || j < end;)
        *to++ = j == end || (i < middle && !less (&from[j], &from[i])) ? from[i++] : from[j++];
    }
  return runs;
}

/* Most lists are almost in order. */
static void
sort (struct bbp_count *counts, size_t n)
{
  if (run_end (counts, 0, n) == n)
    return;
  struct bbp_count *spare = bbp_pages_map (n * sizeof *spare), *from = counts, *to = spare;
  if (!spare)
    {
      sort_in_place (counts, n);
      return;
    }
  while (merge_runs (from, to, n) > 1)
    {
      struct bbp_count *merged = to;
      to = from;
      from = merged;
    }
  if (to != counts)
    bbp_copy_bytes (counts, to, n * sizeof *counts);
  bbp_pages_unmap (spare, n * sizeof *spare);
}

int
bbp_counts_make (struct bbp_counts *counts, size_t room)
{
  counts->n = 0;
  counts->room = room;
  counts->item = bbp_pages_map (room * sizeof *counts->item);
  return counts->item ? 0 : -ENOMEM;
}

void
bbp_counts_free (struct bbp_counts *counts)
{
  bbp_pages_unmap (counts->item, counts->room * sizeof *counts->item);
  *counts = (struct bbp_counts) { 0 };
}

void
bbp_counts_append (struct bbp_counts *counts, uintptr_t from, uintptr_t self, uint64_t count)
{
  if (count && counts->n < counts->room)
    counts->item[counts->n++] = (struct bbp_count) { from, self, count };
}

#define FIRST_ROOM (BBP_PAGE_BYTES / sizeof (struct bbp_count))

/* Double the room, in a new mapping. */
static bool
grow (struct bbp_counts *counts)
{
  struct bbp_counts more;
  if (bbp_counts_make (&more, counts->room ? 2 * counts->room : FIRST_ROOM))
    return false;
  bbp_copy_bytes (more.item, counts->item, counts->n * sizeof *counts->item);
  more.n = counts->n;
  bbp_counts_free (counts);
  *counts = more;
  return true;
}

bool
bbp_counts_put (struct bbp_counts *counts, uintptr_t from, uintptr_t self, uint64_t count)
{
  if (counts->n == counts->room && count && !grow (counts))
    return false;
  bbp_counts_append (counts, from, self, count);
  return true;
}

void
bbp_counts_unite (struct bbp_counts *counts)
{
  sort (counts->item, counts->n);
  size_t last = 0;
  for (size_t i = 1; i < counts->n; i++)
    if (same (&counts->item[i], &counts->item[last]))
      counts->item[last].count += counts->item[i].count;
    else
      counts->item[++last] = counts->item[i];
  if (counts->n)
    counts->n = last + 1;
}

void
bbp_counts_subtract (struct bbp_counts *counts, const struct bbp_counts *settled)
{
  size_t kept = 0, s = 0;
  for (size_t i = 0; i < counts->n; i++)
    {
      struct bbp_count count = counts->item[i];
      while (settled && s < settled->n && less (&settled->item[s], &count))
        s++;
      if (settled && s < settled->n && same (&settled->item[s], &count))
        count.count -= settled->item[s].count;
      if (count.count)
        counts->item[kept++] = count;
    }
  counts->n = kept;
}

/* Append COUNT to SUM, which is sorted; its last item is not greater than COUNT. */
static void
append_ascending (struct bbp_counts *sum, const struct bbp_count *count)
{
  if (sum->n && same (&sum->item[sum->n - 1], count))
    sum->item[sum->n - 1].count += count->count;
  else
    sum->item[sum->n++] = *count;
}

/* Merge A and B into SUM, which has the room. */
static void
join (struct bbp_counts *sum, const struct bbp_counts *a, const struct bbp_counts *b)
{
  for (size_t i = 0, j = 0; i < a->n || j < b->n;)
    if (j == b->n || (i < a->n && less (&a->item[i], &b->item[j])))
      append_ascending (sum, &a->item[i++]);
    else
      append_ascending (sum, &b->item[j++]);
}

int
bbp_counts_add (struct bbp_counts *counts, const struct bbp_counts *more)
{
  struct bbp_counts sum;
  if (!more || more->n == 0)
    return 0;
  if (bbp_counts_make (&sum, counts->n + more->n))
    return -ENOMEM;
  join (&sum, counts, more);
  bbp_counts_free (counts);
  *counts = sum;
  return 0;
}

static size_t
kept_bytes (size_t room)
{
  return sizeof (struct bbp_counts) + room * sizeof (struct bbp_count);
}

/* The list and its items are in one mapping, so one store replaces both. */
int
bbp_counts_keep (struct bbp_counts **kept, const struct bbp_counts *more)
{
  static const struct bbp_counts none;
  const struct bbp_counts *before = *kept ? *kept : &none;
  size_t room = before->n + more->n;
  if (more->n == 0)
    return 0;
  struct bbp_counts *sum = bbp_pages_map (kept_bytes (room));
  if (!sum)
    return -ENOMEM;
  sum->item = (struct bbp_count *) (sum + 1);
  sum->room = room;
  join (sum, before, more);
  bbp_counts_drop (kept, sum);
  return 0;
}

void
bbp_counts_drop (struct bbp_counts **kept, struct bbp_counts *instead)
{
  struct bbp_counts *old = *kept;
  /* Atomically, because the process may fork at this moment. */
  __atomic_store_n (kept, instead, __ATOMIC_RELEASE);
  if (old)
    bbp_pages_unmap (old, kept_bytes (old->room));
}

uint64_t
bbp_counts_of (const struct bbp_counts *counts, uintptr_t from, uintptr_t self)
{
  const struct bbp_count wanted = { from, self, 0 };
  size_t low = 0, high = counts->n;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (less (&counts->item[middle], &wanted))
        low = middle + 1;
      else
        high = middle;
    }
  return low < counts->n && same (&counts->item[low], &wanted) ? counts->item[low].count : 0;
}

uint64_t
bbp_counts_sum (const struct bbp_counts *counts)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < counts->n; i++)
    sum += counts->item[i].count;
  return sum;
}

uint64_t
bbp_counts_within (const struct bbp_counts *counts, uintptr_t low, uintptr_t high)
{
  uint64_t sum = 0;
  for (size_t i = 0; counts && i < counts->n; i++)
    if (counts->item[i].self - low < high - low && !(counts->item[i].from & BBP_ARC_MARKS))
      sum += counts->item[i].count;
  return sum;
}
