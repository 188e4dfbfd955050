/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "tools/ranks/rank_table.h"
#include "tools/view/json.h"
#include "tools/view/json_model.h"

enum { VERSION = 1 };

static void
print_value (FILE *out, const struct rank_table *t, double value)
{
  if (t->by == RANK_BY_TIME)
    fprintf (out, "%.6f", value / t->model->profile.rate);
  else
    fprintf (out, "%.0f", value);
}

static void
print_row (FILE *out, const struct rank_table *t, const struct rank_row *row)
{
  fputs ("    {\"name\": ", out);
  json_string (out, row->name);
  fputs (", \"object\": ", out);
  json_string (out, row->object ? object_name (row->object) : NULL);
  fputs (", \"total\": ", out);
  print_value (out, t, (double) row->total);
  fprintf (out, ", \"mean\": %.6f",
           rank_mean (t, row->total)
               / (t->by == RANK_BY_TIME ? (double) t->model->profile.rate : 1));
  fprintf (out, ", \"least_rank\": %u, \"most_rank\": %u, \"imbalance\": %.6f, \"values\": [",
           rank_number (t, row->least), rank_number (t, row->most), rank_imbalance (t, row));
  for (size_t i = 0; i < t->nranks; i++)
    {
      fputs (i ? ", " : "", out);
      print_value (out, t, (double) row->values[i]);
    }
  fputs ("]}", out);
}

static void
print_call (FILE *out, const struct rank_table *t, const struct rank_call_row *row)
{
  fputs ("    {\"call\": ", out);
  json_string (out, bbx_rank_call_name (row->call));
  fputs (", \"from\": ", out);
  json_string (out, row->from);
  fprintf (out,
           ", \"calls\": %" PRIu64 ", \"bytes\": %" PRIu64
           ", \"seconds\": %.9f, \"most_seconds\": %.9f, \"most_rank\": %u, \"judged\": %" PRIu64
           ", \"waited_seconds\": %.9f, \"last_rank\": ",
           row->calls, row->bytes, (double) row->nanoseconds / 1e9, (double) row->longest / 1e9,
           rank_number (t, row->most), row->judged, (double) row->waited / 1e9);
  if (row->last > 0)
    fprintf (out, "%u", rank_number (t, row->late));
  else
    fputs ("null", out);
  fprintf (out, ", \"last_times\": %" PRIu64 ", \"late_seconds\": %.9f}", row->last,
           (double) row->spread / 1e9);
}

void
rank_emit_json (FILE *out, const struct rank_table *t)
{
  static const char *const what[] = { "functions", "lines", "blocks" };
  static const char *const by[] = { "seconds", "executions", "calls" };
  json_head (out, "bbprof-ranks", VERSION, t->program, t->model);
  fprintf (out, ",\n  \"rows\": \"%s\",\n  \"unit\": \"%s\",\n  \"ranks\": [", what[t->what],
           by[t->by]);
  for (size_t i = 0; i < t->nranks; i++)
    fprintf (out, "%s%u", i ? ", " : "", rank_number (t, i));
  fputs ("],\n  \"list\": [\n", out);
  for (size_t i = 0; i < t->nrows && i < t->limit; i++)
    {
      fputs (i ? ",\n" : "", out);
      print_row (out, t, &t->rows[i]);
    }
  fputs ("\n  ],\n  \"calls\": [\n", out);
  for (size_t i = 0; i < t->ncalls && i < t->limit; i++)
    {
      fputs (i ? ",\n" : "", out);
      print_call (out, t, &t->calls[i]);
    }
  fputs ("\n  ]\n}\n", out);
}
