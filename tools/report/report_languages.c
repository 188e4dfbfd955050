/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>

#include "common/header.h"
#include "common/visible.h"
#include "tools/report/report_languages.h"
#include "tools/view/plural.h"

static void
print_language (FILE *out, const struct report_table *t, const struct bbx_language *l)
{
  char collecting[64] = "", cut[64] = "";
  if (l->collecting > 0)
    snprintf (collecting, sizeof collecting, "; %" PRIu64 " while it collected garbage",
              l->collecting);
  if (l->cut > 0)
    snprintf (cut, sizeof cut, "; %" PRIu64 " without the outermost frames", l->cut);
  header_print (out, "language", "%s: %" PRIu64 " sample%s, %.1f%%%s%s", visible (l->name),
                l->ticks, plural (l->ticks), report_percent (t, (double) l->ticks), collecting,
                cut);
  if (l->late > 0 || l->missed > 0)
    header_print (
        out, "",
        "its frames came %.3f ms after the sample, %.3f ms at most; %" PRIu64 " sample%s without",
        bbx_language_mean_delay (l), (double) l->delay_most / 1e6, l->missed, plural (l->missed));
  if (l->unknown > 0 || l->unlisted > 0)
    header_print (out, "",
                  "%" PRIu64 " functions or frames that it does not know, %" PRIu64
                  " for which there was no room: " BBX_FUNCTION_UNKNOWN,
                  l->unknown, l->unlisted);
}

void
report_emit_languages (FILE *out, const struct report_table *t)
{
  const struct bbx_language *l;
  for (size_t i = 0; (l = model_language (t->model, i)) != NULL; i++)
    print_language (out, t, l);
}
