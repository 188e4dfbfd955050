/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output formats of `bbprof annotate'. */
#ifndef BBPROF_ANNOTATE_EMIT_H
#define BBPROF_ANNOTATE_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/annotate/annotate.h"
#include "tools/view/interval.h"
#include "tools/view/source.h"
#include "tools/view/style.h"

enum annotate_view {
  VIEW_BOTH,   /* source lines, each followed by its instructions */
  VIEW_SOURCE, /* source lines only */
  VIEW_ASM,    /* instructions in the order of their addresses */
};

void annotate_emit_text (FILE *, const struct annotation *, struct source *, enum annotate_view,
                         const struct style *);
/* The whole model, and the text of the lines. */
void annotate_emit_json (FILE *, const struct annotation *, struct source *);

/* The time of one execution of a block in nanoseconds, with its 95 % confidence interval.
   False: unknown. */
static inline bool
annotate_time_each (const struct annotation *a, const struct annotated_block *b, double *ns,
                    struct interval *is)
{
  if (!annotate_has_time (a) || !b->block || b->block->count == 0 || b->copied)
    return false;
  double each = 1e9 / a->model->profile.rate / (double) b->block->count;
  *is = interval_of_samples (b->samples);
  *ns = b->samples * each;
  is->low *= each;
  is->high *= each;
  return true;
}

#endif
