/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms in which `bbprof annotate' shows its model. */
#ifndef BBPROF_ANNOTATE_EMIT_H
#define BBPROF_ANNOTATE_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/annotate/annotate.h"
#include "tools/view/interval.h"
#include "tools/view/source.h"
#include "tools/view/style.h"

enum annotate_view {
  VIEW_BOTH,   /* lines of the source, below each its instructions */
  VIEW_SOURCE, /* lines only */
  VIEW_ASM,    /* instructions in their own order */
};

void annotate_emit_text (FILE *, const struct annotation *, struct source *, enum annotate_view,
                         const struct style *);
/* All that the model has, and the text of the lines. */
void annotate_emit_json (FILE *, const struct annotation *, struct source *);

/* The time of one execution of a block, in nanoseconds, and between which two values it is, with
   95 %.  False: not known. */
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
