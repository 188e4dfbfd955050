/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/array.h"
#include "model/symbols/samples.h"

/* The first stretch that ends behind UNIT. */
static size_t
first_behind (const struct stretches *s, uint64_t unit)
{
  /* The end of the last one may be below its start: such a stretch is empty and gets nothing. */
  return ARRAY_BEFORE (i, s->count, i + 1 < s->count && s->start (s->of, i + 1) <= unit);
}

/* Reports print sums with two digits, so the order of the floating-point operations is visible:
   for each bin in order, for each stretch in order, overlap * count / scale.

     bin     |  low ........ high  |
     stretches   ...  i - 1  |  i  |  i + 1  ...          three of them get a part */
double
samples_assign (const struct profile *p, const struct stretches *s,
                bool (*takes) (const void *of, size_t i), double *samples)
{
  double total = 0;
  for (size_t k = 0; k < p->nhistograms; k++)
    {
      const struct histogram *h = &p->histograms[k];
      uint64_t base = h->low / 2;
      size_t i = 0;
      for (size_t b = 0; b < h->nfilled; b++)
        {
          const struct bin *bin = &h->bins[b];
          double count = (double) bin->count;
          uint64_t low = base + (uint64_t) (p->scale * bin->index);
          uint64_t high = base + (uint64_t) (p->scale * ((double) bin->index + 1));
          total += count;
          if (i == s->count || s->start (s->of, i + 1) <= low)
            i = first_behind (s, low);
          for (size_t j = i; j < s->count && s->start (s->of, j) <= high; j++)
            {
              uint64_t from = s->start (s->of, j), to = s->start (s->of, j + 1);
              if (from < low)
                from = low;
              if (to > high)
                to = high;
              if (to <= from)
                continue;
              double part = (double) (to - from) * count / p->scale;
              if (!takes || takes (s->of, j))
                samples[j] += part;
              else
                total -= part;
            }
        }
    }
  return total;
}

static uint64_t
symbol_start (const void *of, size_t i)
{
  const struct symtab *t = of;
  return (i < t->count ? t->symbols[i].address : t->symbols[i - 1].end + 1) / 2;
}

double
samples_assign_to_symbols (const struct profile *p, const struct symtab *t, double *samples)
{
  return samples_assign (
      p, &(struct stretches) { .count = t->count, .start = symbol_start, .of = t }, NULL, samples);
}
