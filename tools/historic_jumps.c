/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bb.out: how often control went from one block to the next, and which words of `bb.in' named nobody. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "historic.h"

/* The old library's buckets, in unsigned arithmetic: in signed one it read outside of its table.  In a bucket the jump that was
   made last came first, which nobody knows now: they are in the order of their addresses. */
static unsigned
bucket (const struct edge *jump)
{
  return ((uint32_t) jump->from * 8 ^ (uint32_t) jump->to) % 311;
}

static int
compare_jumps (const void *a, const void *b, void *context)
{
  const struct edge *x = a, *y = b;
  (void) context;
  unsigned xs = bucket (x), ys = bucket (y);
  if (xs != ys)
    return xs < ys ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

/* What the heading says of the one variant that was counted. */
static const char *
suffix (unsigned variants)
{
  static const char *const suffixes[] = { [0] = " (with call)",
                                          [BBX_JUMPS_HIDECALL] = "",
                                          [BBX_JUMPS_SHOWRET] = " (with call & ret)",
                                          [BBX_JUMPS_HIDECALL | BBX_JUMPS_SHOWRET] = " (with ret)" };
  unsigned variant = 0;
  while (!(variants >> variant & 1))
    variant++;
  return suffixes[variant];
}

static void
write_jumps (FILE *out, const struct edge *jumps, size_t n)
{
  int address = 0, count = 0;
  for (size_t i = 0; i < n; i++)
    {
      int a = historic_digits (jumps[i].from > jumps[i].to ? jumps[i].from : jumps[i].to, 16);
      int c = historic_digits (jumps[i].count, 10);
      address = a > address ? a : address;
      count = c > count ? c : count;
    }
  for (size_t i = 0; i < n; i++)
    fprintf (out, "Jump from block 0x%.*" PRIx64 " to block 0x%.*" PRIx64 " executed %*" PRIu64 " time(s)\n", address,
             jumps[i].from, address, jumps[i].to, count, jumps[i].count);
}

bool
historic_write_jumps (FILE *out, const struct historic *h, struct error *err)
{
  const struct edges *all = &h->model->jumps;
  struct edge *jumps = malloc ((all->count + 1) * sizeof *jumps);
  if (!jumps)
    return error_no_memory (err);
  memcpy (jumps, all->by_from, all->count * sizeof *jumps);
  bool ok = array_sort (jumps, all->count, sizeof *jumps, compare_jumps, NULL);
  if (ok)
    {
      fprintf (out, "Basic block jump tracing%s finished on %s\n", suffix (h->model->jumps_variants), ctime (&h->finished));
      write_jumps (out, jumps, all->count);
      putc ('\n', out);
    }
  free (jumps);
  return ok || error_no_memory (err);
}

void
historic_write_missing (FILE *out, const struct historic *h)
{
  bool any = false;
  for (size_t i = h->sidecar->nwords; i-- > 0;)
    {
      const struct bbx_run_word *word = &h->sidecar->words[i];
      if (word->nfunctions)
        continue;
      if (!any)
        fprintf (out, "Functions in `bb.in' not executed during basic block profiling on %s\n", ctime (&h->finished));
      any = true;
      fprintf (out, "\tFunction %s", word->name);
      if (*word->file)
        fprintf (out, " of file %s", word->file);
      putc ('\n', out);
    }
  if (any)
    putc ('\n', out);
}
