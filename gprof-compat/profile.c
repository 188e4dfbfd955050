/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "profile.h"

/* Fewer new elements than this are not worth a sort. */
#define SORT_AT_LEAST 65536

void
profile_free (struct profile *p)
{
  for (size_t i = 0; i < p->nhistograms; i++)
    free (p->histograms[i].bins);
  free (p->histograms);
  free (p->calls);
  free (p->executions);
  memset (p, 0, sizeof *p);
}

/* Histograms.  */

/* The sum of the samples of H and the NEW ones of the same range. */
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

/* The histogram of the record's range, or null; *OVERLAP: there is one that covers a part of it only. */
static struct histogram *
find_histogram (struct profile *p, const struct histogram_record *record, bool *overlap)
{
  *overlap = false;
  for (size_t i = 0; i < p->nhistograms; i++)
    {
      struct histogram *h = &p->histograms[i];
      if (h->low == record->low && h->high == record->high)
        return h;
      if (record->low < h->high && h->low < record->high)
        *overlap = true;
    }
  return NULL;
}

static bool
refuse (struct error *err, const char *text)
{
  return error_set (err, NULL, ERROR_NO_OFFSET, "%s", text);
}

bool
profile_add_histogram (struct profile *p, const struct histogram_record *record, struct bin *bins, size_t nfilled,
                       struct error *err)
{
  double scale = (double) ((record->high - record->low) / 2) / record->nbins;
  bool ok = false;
  bool overlap;

  if (p->nhistograms == 0)
    {
      p->rate = record->rate;
      memcpy (p->dimension, record->dimension, sizeof p->dimension);
      p->letter = record->letter;
      p->scale = scale;
    }
  if (strncmp (p->dimension, record->dimension, sizeof p->dimension) != 0 || p->letter != record->letter)
    {
      refuse (err, "histogram counts in another unit than the first histogram");
      goto done;
    }
  if (fabs (scale - p->scale) > 1e-6)
    {
      refuse (err, "histogram has bins of another size than the first histogram");
      goto done;
    }
  struct histogram *same = find_histogram (p, record, &overlap);
  if (same && same->nbins != record->nbins)
    refuse (err, "histogram has another number of bins than an earlier one of the same addresses");
  else if (same)
    ok = add_bins (same, bins, nfilled) || error_no_memory (err);
  else if (overlap)
    refuse (err, "histogram overlaps an earlier one of other addresses");
  else if (array_grow (&p->histograms, p->nhistograms, &p->room_histograms, sizeof *p->histograms))
    {
      p->histograms[p->nhistograms++] = (struct histogram) { .low = record->low,
                                                             .high = record->high,
                                                             .nbins = record->nbins,
                                                             .bins = bins,
                                                             .nfilled = nfilled };
      return true;
    }
  else
    error_no_memory (err);
done:
  free (bins);
  return ok;
}

/* Calls.  New ones are appended; when they have become many, the array is sorted and equal pairs become one, so
   that any number of files needs the room of what differs in them.  */

static int
compare_calls (const void *a, const void *b, void *context)
{
  const struct call *x = a, *y = b;
  (void) context;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->self != y->self)
    return x->self < y->self ? -1 : 1;
  return 0; /* the sort is stable: the first one stays first */
}

static bool
unite_calls (struct profile *p)
{
  if (p->ncalls == p->sorted_calls)
    return true;
  if (!array_sort (p->calls, p->ncalls, sizeof *p->calls, compare_calls, NULL))
    return false;
  size_t n = 0;
  for (size_t i = 1; i < p->ncalls; i++)
    if (compare_calls (&p->calls[n], &p->calls[i], NULL) == 0)
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

/* Executions: the same for blocks.  */

static int
compare_executions (const void *a, const void *b, void *context)
{
  const struct execution *x = a, *y = b;
  (void) context;
  return x->address < y->address ? -1 : x->address > y->address;
}

static bool
unite_executions (struct profile *p)
{
  if (p->nexecutions == p->sorted_executions)
    return true;
  if (!array_sort (p->executions, p->nexecutions, sizeof *p->executions, compare_executions, NULL))
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
profile_finish (struct profile *p)
{
  return unite_calls (p) && unite_executions (p);
}
