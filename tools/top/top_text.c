/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One refresh as plain text, for logs. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/visible.h"
#include "tools/top/top.h"
#include "tools/view/short_name.h"

/* In WIDTH characters, escapes included. */
static void
print_name (FILE *out, const char *name, int width)
{
  const char *whole = visible (name);
  char *cut = short_name (whole, (size_t) width);
  const char *shown = cut ? cut : whole;
  int columns = (int) short_name_columns (shown);
  fprintf (out, "%s%*s", shown, width > columns ? width - columns : 0, "");
  free (cut);
}

static void
print_threads (FILE *out, const struct top *top)
{
  for (int c = 0; c < TOP_COLUMNS; c++)
    fprintf (out, "%s%*s", c ? " " : "", top_is_left (c) ? -top_width (c) : top_width (c),
             top_title (c));
  fputc ('\n', out);
  for (size_t i = 0; i < top->rows.n; i++)
    {
      for (int c = 0; c < TOP_COLUMNS; c++)
        {
          char text[64];
          top_cell (&top->watch.sums, top->rows.rows[i], c, text, sizeof text);
          if (c)
            fputc (' ', out);
          if (top_is_left (c))
            print_name (out, text, top_width (c));
          else
            fprintf (out, "%*s", top_width (c), text);
        }
      fputc ('\n', out);
    }
}

static void
print_cpus (FILE *out, const struct top *top)
{
  const struct top_sums *s = &top->watch.sums;
  fputs ("CPU %BUSY SWITCH/s  RUNS\n", out);
  for (size_t i = 0; i < s->ncpus; i++)
    {
      const struct top_cpu *c = &s->cpus[i];
      fprintf (out, "%3zu %5.1f %8.1f  ", i, top_percent (s, c->recent_time),
               top_rate (s, c->recent_switches));
      if (c->tid)
        fprintf (out, "%" PRIu32 "\n", c->tid);
      else
        fputs ("-\n", out);
    }
}

void
top_print_text (FILE *out, const struct top *top)
{
  char line[256];
  const struct top_watch *w = &top->watch;
  top_watch_describe (w, line, sizeof line);
  fprintf (out, "%s (%d) %s, %.3f s%s\n", visible (w->name), w->pid, line,
           (double) w->sums.now / 1e9, w->ended ? ", ended; of all of it:" : "");
  top_summarize (top, line, sizeof line);
  fprintf (out, "%s\n", line);
  if (top->options->cpus)
    print_cpus (out, top);
  else
    print_threads (out, top);
  fputc ('\n', out);
}
