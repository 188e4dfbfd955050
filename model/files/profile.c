/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/files/profile.h"

/* Fewer new elements are not sorted; as many as one file of a large program has. */
#define SORT_AT_LEAST (1 << 20)

void
profile_free (struct profile *p)
{
  for (size_t i = 0; i < p->nhistograms; i++)
    free (p->histograms[i].bins);
  free (p->histograms);
  free (p->by_low);
  free (p->calls);
  free (p->executions);
  memset (p, 0, sizeof *p);
}

/* Histograms. */

/* Adds the NEW samples of the same range to H. */
static bool
add_bins (struct histogram *h, const struct bin *new, size_t nnew)
{
  if (nnew == 0)
    return true;
  struct bin *sum = malloc ((h->nfilled + nnew) * sizeof *sum);
  if (!sum)
    return false;
  size_t n = 0, i = 0, j = 0;
  while (i < h->nfilled || j < nnew)
    if (j == nnew || (i < h->nfilled && h->bins[i].index < new[j].index))
      sum[n++] = h->bins[i++];
    else if (i == h->nfilled || new[j].index < h->bins[i].index)
      sum[n++] = new[j++];
    else
      {
        sum[n] = h->bins[i++];
        sum[n++].count += new[j++].count;
      }
  free (h->bins);
  h->bins = sum;
  h->nfilled = n;
  return true;
}

/* The number of histograms that begin below LOW. */
static size_t
count_below (const struct profile *p, uint64_t low)
{
  return ARRAY_BEFORE (i, p->nhistograms, p->histograms[p->by_low[i]].low < low);
}

/* The histogram of the range, or null.  *OVERLAP: one covers only a part of it. */
static struct histogram *
find_histogram (const struct profile *p, uint64_t low, uint64_t high, bool *overlap)
{
  size_t place = count_below (p, low);
  struct histogram *next = place < p->nhistograms ? &p->histograms[p->by_low[place]] : NULL;
  const struct histogram *before = place > 0 ? &p->histograms[p->by_low[place - 1]] : NULL;
  bool same = next && next->low == low && next->high == high;
  *overlap = !same && ((next && next->low < high) || (before && before->high > low));
  return same ? next : NULL;
}

static bool
insert_histogram (struct profile *p, struct histogram new)
{
  if (!array_grow (&p->histograms, p->nhistograms, &p->room_histograms, sizeof *p->histograms)
      || !array_grow (&p->by_low, p->nhistograms, &p->room_by_low, sizeof *p->by_low))
    return false;
  size_t place = count_below (p, new.low);
  memmove (p->by_low + place + 1, p->by_low + place, (p->nhistograms - place) * sizeof *p->by_low);
  p->by_low[place] = p->nhistograms;
  p->histograms[p->nhistograms++] = new;
  return true;
}

static bool
refuse (struct error *err, const char *text)
{
  return error_set (err, NULL, ERROR_NO_OFFSET, "%s", text);
}

/* Is a histogram of these units and this range compatible with the others? */
static bool
check_histogram (const struct profile *p, const struct histogram_record *record, struct error *err)
{
  bool overlap;
  double scale = (double) ((record->high - record->low) / 2) / record->nbins;
  if (p->nhistograms == 0)
    return true;
  if (strncmp (p->dimension, record->dimension, sizeof p->dimension) != 0
      || p->letter != record->letter)
    return refuse (err, "histogram counts in another unit than the first histogram");
  if (fabs (scale - p->scale) > 1e-6)
    return refuse (err, "histogram has bins of another size than the first histogram");
  const struct histogram *same = find_histogram (p, record->low, record->high, &overlap);
  if (same && same->nbins != record->nbins)
    return refuse (
        err, "histogram has another number of bins than an earlier one of the same addresses");
  return !overlap || refuse (err, "histogram overlaps an earlier one of other addresses");
}

static void
set_units (struct profile *p, const struct histogram_record *record)
{
  p->rate = record->rate;
  memcpy (p->dimension, record->dimension, sizeof p->dimension);
  p->letter = record->letter;
  p->scale = (double) ((record->high - record->low) / 2) / record->nbins;
}

bool
profile_add_histogram (struct profile *p, const struct histogram_record *record, struct bin *bins,
                       size_t nfilled, struct error *err)
{
  bool overlap;
  if (!check_histogram (p, record, err))
    {
      free (bins);
      return false;
    }
  if (p->nhistograms == 0)
    set_units (p, record);
  struct histogram *same = find_histogram (p, record->low, record->high, &overlap);
  struct histogram new = { .low = record->low,
                           .high = record->high,
                           .nbins = record->nbins,
                           .bins = bins,
                           .nfilled = nfilled };
  if (!same && insert_histogram (p, new))
    return true;
  bool ok = same && add_bins (same, bins, nfilled);
  free (bins);
  return ok || error_no_memory (err);
}

static struct histogram_record
record_of (const struct profile *p, const struct histogram *h)
{
  struct histogram_record record
      = { .low = h->low, .high = h->high, .nbins = h->nbins, .rate = p->rate, .letter = p->letter };
  memcpy (record.dimension, p->dimension, sizeof record.dimension);
  return record;
}

bool
profile_fits (const struct profile *p, const struct profile *other, struct error *err)
{
  for (size_t i = 0; i < other->nhistograms; i++)
    {
      struct histogram_record record = record_of (other, &other->histograms[i]);
      if (!check_histogram (p, &record, err))
        return false;
    }
  return p->nhistograms == 0 || other->nhistograms == 0 || p->rate == other->rate
         || error_set (err, NULL, ERROR_NO_OFFSET,
                       "%" PRIu32 " samples a second, but %" PRIu32 " in the profiles before",
                       other->rate, p->rate);
}

static bool
add_histograms (struct profile *p, struct profile *other)
{
  struct error err;
  for (size_t i = 0; i < other->nhistograms; i++)
    {
      struct histogram *h = &other->histograms[i];
      struct histogram_record record = record_of (other, h);
      struct bin *bins = h->bins;
      h->bins = NULL;
      if (!profile_add_histogram (p, &record, bins, h->nfilled, &err))
        return false;
    }
  return true;
}

/* Calls.  New ones are appended.  When they are many, the array is sorted and equal pairs are
   merged, so memory depends on the number of different calls, not of files. */

static bool
unite_calls (struct profile *p)
{
  if (p->ncalls == p->sorted_calls)
    return true;
  /* Stable: of equal pairs the first one stays first. */
  if (!array_sort_by_number (p->calls, p->ncalls, sizeof *p->calls, offsetof (struct call, self))
      || !array_sort_by_number (p->calls, p->ncalls, sizeof *p->calls,
                                offsetof (struct call, from)))
    return false;
  size_t n = 0;
  for (size_t i = 1; i < p->ncalls; i++)
    if (p->calls[n].from == p->calls[i].from && p->calls[n].self == p->calls[i].self)
      p->calls[n].count += p->calls[i].count;
    else
      p->calls[++n] = p->calls[i];
  p->ncalls = p->sorted_calls = n + 1;
  return true;
}

bool
profile_add_call (struct profile *p, uint64_t from, uint64_t self, uint64_t count)
{
  if (p->ncalls >= SORT_AT_LEAST + 2 * p->sorted_calls && !unite_calls (p))
    return false;
  if (!array_grow (&p->calls, p->ncalls, &p->room_calls, sizeof *p->calls))
    return false;
  p->calls[p->ncalls++]
      = (struct call) { .from = from, .self = self, .count = count, .first = p->calls_seen++ };
  p->has_calls = true;
  return true;
}

/* Executions of blocks: in the same way. */

static bool
unite_executions (struct profile *p)
{
  if (p->nexecutions == p->sorted_executions)
    return true;
  if (!array_sort_by_number (p->executions, p->nexecutions, sizeof *p->executions,
                             offsetof (struct execution, address)))
    return false;
  size_t n = 0;
  for (size_t i = 1; i < p->nexecutions; i++)
    if (p->executions[n].address == p->executions[i].address)
      p->executions[n].count += p->executions[i].count;
    else
      p->executions[++n] = p->executions[i];
  p->nexecutions = p->sorted_executions = n + 1;
  return true;
}

bool
profile_add_execution (struct profile *p, uint64_t address, uint64_t count)
{
  if (p->nexecutions >= SORT_AT_LEAST + 2 * p->sorted_executions && !unite_executions (p))
    return false;
  if (!array_grow (&p->executions, p->nexecutions, &p->room_executions, sizeof *p->executions))
    return false;
  p->executions[p->nexecutions++]
      = (struct execution) { .address = address, .count = count, .first = p->executions_seen++ };
  return true;
}

bool
profile_add_profile (struct profile *p, struct profile *other)
{
  if (!add_histograms (p, other))
    return false;
  p->has_calls |= other->has_calls;
  p->has_executions |= other->has_executions;
  for (size_t i = 0; i < other->ncalls; i++)
    if (!profile_add_call (p, other->calls[i].from, other->calls[i].self, other->calls[i].count))
      return false;
  for (size_t i = 0; i < other->nexecutions; i++)
    if (!profile_add_execution (p, other->executions[i].address, other->executions[i].count))
      return false;
  return true;
}

void
profile_disorder (struct profile *p)
{
  p->sorted_calls = p->sorted_executions = 0;
}

bool
profile_finish (struct profile *p)
{
  return unite_calls (p) && unite_executions (p);
}
