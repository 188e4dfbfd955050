/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is stable: members are added; none is changed or removed without a new version
   number. */
#include <inttypes.h>

#include "tools/score/score.h"
#include "tools/view/json.h"

enum { VERSION = 1 };

static void
print_row (FILE *out, const struct score_function *f, double whole)
{
  fputs ("    {\"symbol\": ", out);
  json_string (out, f->symbol);
  fputs (", \"function\": ", out);
  json_string (out, f->name ? f->name : f->symbol);
  fprintf (out,
           ", \"cost_ns\": %.3f, \"cost_percent_of_all\": %.4f, \"cost_percent_of_own\": %.4f, "
           "\"own_ns\": %.3f, "
           "\"own_estimated\": %s, \"samples\": %.3f, \"counters\": %" PRIu64
           ", \"calls\": %" PRIu64 ", \"entries\": %" PRIu64 ", \"excluded\": %s}",
           f->cost, score_percent (f->cost, whole), score_percent (f->cost, f->time), f->time,
           f->estimated ? "true" : "false", f->samples, f->counters, f->calls, f->entries,
           f->excluded ? "true" : "false");
}

void
score_emit_json (FILE *out, const struct score *s)
{
  fprintf (out, "{\n  \"format\": \"bbprof-score\",\n  \"version\": %d,\n  \"program\": ", VERSION);
  json_string (out, s->program);
  fprintf (out, ",\n  \"nanoseconds\": {\"counter\": %.4f, \"call\": %.4f, \"entry\": %.4f},\n",
           s->costs.counter, s->costs.call, s->costs.entry);
  fprintf (out,
           "  \"total\": {\"cost_ns\": %.3f, \"time_ns\": %.3f, \"cost_percent\": %.4f, "
           "\"functions\": %zu, "
           "\"excluded\": %zu, \"kept_cost_ns\": %.3f, \"kept_cost_percent\": %.4f},\n  "
           "\"functions\": [\n",
           s->cost, s->time, score_percent (s->cost, s->time), s->count, s->nexcluded, s->kept_cost,
           score_percent (s->kept_cost, s->time));
  for (size_t i = 0; i < s->shown; i++)
    {
      print_row (out, &s->functions[i], s->time);
      fputs (i + 1 < s->shown ? ",\n" : "\n", out);
    }
  fputs ("  ]\n}\n", out);
}
