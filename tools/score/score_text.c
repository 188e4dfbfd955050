/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "common/visible.h"
#include "tools/score/score.h"
#include "tools/view/plural.h"

static void
print_row (FILE *out, const struct score_function *f, double whole, const struct style *style)
{
  enum emphasis heat = style_heat (whole > 0 ? f->cost / whole : 0);
  style_put (style, out, f->excluded ? ALARM : PLAIN);
  fprintf (out, "%c ", f->excluded ? 'x' : ' ');
  style_put (style, out, heat);
  fprintf (out, "%11.3f %7.2f%%", f->cost / 1e6, score_percent (f->cost, whole));
  style_put (style, out, PLAIN);
  fprintf (out, " %7.1f%% %11.3f%c %14" PRIu64 " %14" PRIu64 "  %s\n",
           score_percent (f->cost, f->time), f->time / 1e6, f->estimated ? '~' : ' ', f->counters,
           f->calls, visible (f->name ? f->name : f->symbol));
}

void
score_emit_text (FILE *out, const struct score *s, const struct style *style)
{
  bool estimated = false;
  style_put (style, out, TITLE);
  fprintf (out, "  %11s %8s %8s %11s  %14s %14s  function", "cost ms", "of all", "of self",
           "self ms", "counters", "counted calls");
  style_put (style, out, PLAIN);
  fputc ('\n', out);
  for (size_t i = 0; i < s->shown; i++)
    {
      print_row (out, &s->functions[i], s->time, style);
      estimated |= s->functions[i].estimated;
    }
  if (estimated)
    fputs ("~ too few samples: estimated from the code that was executed\n", out);
  fprintf (out,
           "%zu of %zu function%s with counters that ran; a counter takes %.2f ns, a call %.2f ns, "
           "an entry %.2f ns\n",
           s->shown, s->count, plural (s->count), s->costs.counter, s->costs.call, s->costs.entry);
  fprintf (out, "predicted cost: %.3f ms of %.3f ms, %.2f%%\n", s->cost / 1e6, s->time / 1e6,
           score_percent (s->cost, s->time));
  if (s->has_limit)
    fprintf (out, "without the %zu above %g%% (x): %.3f ms, %.2f%%\n", s->nexcluded, s->limit,
             s->kept_cost / 1e6, score_percent (s->kept_cost, s->time));
}
