/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bb.out: counts of jumps between blocks, and names in bb.in that match no function. */
#include "config.h"

#include <stdlib.h>

#include "tools/historic/historic.h"

/* The lowest variant, which the heading names. */
static unsigned
first_variant (unsigned variants)
{
  unsigned variant = 0;
  while (!(variants >> variant & 1))
    variant++;
  return variant;
}

bool
historic_write_jumps (const struct bbh_receiver *to, const struct historic *h, struct error *err)
{
  const struct edges *all = &h->model->jumps;
  struct bbh_jump *jumps = malloc ((all->count + 1) * sizeof *jumps);
  if (!jumps)
    return error_no_memory (err);
  for (size_t i = 0; i < all->count; i++)
    jumps[i]
        = (struct bbh_jump) { all->by_from[i].from, all->by_from[i].to, all->by_from[i].count };
  bbh_jumps (to, h->finished, first_variant (h->model->jumps_variants), jumps, all->count);
  free (jumps);
  return true;
}

void
historic_write_missing (const struct bbh_receiver *to, const struct historic *h)
{
  bool any = false;
  for (size_t i = h->sidecar->nwords; i-- > 0;)
    {
      const struct bbx_run_word *word = &h->sidecar->words[i];
      if (word->nfunctions)
        continue;
      bbh_word (to, !any, h->finished, word->name, word->file);
      any = true;
    }
  if (any)
    bbh_words_end (to);
}
