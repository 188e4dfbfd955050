/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>

#include "common/header.h"
#include "common/visible.h"
#include "tools/report/report_languages.h"
#include "tools/view/json.h"
#include "tools/view/plural.h"

/* A language in one of the runs; null: there is no such index. */
static const struct bbx_language *
language_at (const struct report_table *t, size_t index)
{
  for (size_t i = 0; i < t->model->nruns; i++)
    {
      const struct bbx_languages *l = &t->model->runs[i].sidecar.stacks.languages;
      if (index < l->n)
        return &l->list[index];
      index -= l->n;
    }
  return NULL;
}

/* Milliseconds from a sample to its frames; 0: there are no late ones. */
static double
mean_delay (const struct bbx_language *l)
{
  return l->late > 0 ? (double) l->delays / (double) l->late / 1e6 : 0;
}

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
    header_print (out, "",
                  "its frames came %.3f ms after the sample, %.3f ms at most; %" PRIu64
                  " sample%s without",
                  mean_delay (l), (double) l->delay_most / 1e6, l->missed, plural (l->missed));
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
  for (size_t i = 0; (l = language_at (t, i)) != NULL; i++)
    print_language (out, t, l);
}

void
report_emit_json_languages (FILE *out, const struct report_table *t)
{
  const struct bbx_language *l;
  fputs ("  \"languages\": [", out);
  for (size_t i = 0; (l = language_at (t, i)) != NULL; i++)
    {
      fputs (i > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ", out);
      json_string (out, l->name);
      fprintf (out,
               ", \"samples\": %" PRIu64 ", \"collecting\": %" PRIu64 ", \"cut\": %" PRIu64
               ", \"late\": %" PRIu64 ", \"delay_ms\": %.6f, \"delay_most_ms\": %.6f"
               ", \"missed\": %" PRIu64 ", \"unknown\": %" PRIu64 ", \"unlisted\": %" PRIu64 "}",
               l->ticks, l->collecting, l->cut, l->late, mean_delay (l),
               (double) l->delay_most / 1e6, l->missed, l->unknown, l->unlisted);
    }
  fputs ("],\n", out);
}
