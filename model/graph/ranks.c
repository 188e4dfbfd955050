/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "common/array.h"
#include "model/graph/ranks.h"

/* The bits of doubles are in the order of the doubles; those of negative ones in reverse. */
uint64_t
rank_down (double value)
{
  uint64_t bits;
  value += 0.0; /* -0 equals 0 */
  memcpy (&bits, &value, sizeof bits);
  return bits >> 63 ? bits : ~bits & INT64_MAX;
}

static bool
are_equal (const struct rank *a, const struct rank *b)
{
  return a->first == b->first && a->second == b->second;
}

bool
ranks_sort (struct rank *ranks, size_t count, int (*compare) (const void *, const void *, void *),
            void *context)
{
  bool ok = array_sort_by_number (ranks, count, sizeof *ranks, offsetof (struct rank, second))
            && array_sort_by_number (ranks, count, sizeof *ranks, offsetof (struct rank, first));
  for (size_t i = 0, end; ok && i < count; i = end)
    {
      for (end = i + 1; end < count && are_equal (&ranks[i], &ranks[end]);)
        end++;
      ok = array_sort (ranks + i, end - i, sizeof *ranks, compare, context);
    }
  return ok;
}
