/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>

#include "tools/html/page_data.h"
#include "tools/ranks/rank_table.h"
#include "tools/view/json.h"

enum { ROWS = 300 }; /* of each table; bbprof report --ranks has all */

static void
put_row (struct page_data *p, const struct rank_table *t, const struct rank_row *row)
{
  json_string_in_html (p->out, row->name);
  fputc (',', p->out);
  json_string_in_html (p->out, row->object ? object_name (row->object) : "");
  fprintf (p->out, ",%zu,%zu,%.6f,[", row->least, row->most, rank_imbalance (t, row));
  for (size_t i = 0; i < t->nranks; i++)
    fprintf (p->out, "%s%" PRIu64, i > 0 ? "," : "", row->values[i]);
  fputs ("]]", p->out);
}

static void
put_call (struct page_data *p, const struct rank_call_row *row)
{
  json_string_in_html (p->out, bbx_rank_call_name (row->call));
  fputc (',', p->out);
  json_string_in_html (p->out, row->from ? row->from : "");
  fprintf (p->out, ",%" PRIu64 ",%" PRIu64 ",%.9f,%.9f,%zu,%.9f,%" PRIu64 ",%zu,%.9f]", row->calls,
           row->bytes, (double) row->nanoseconds / 1e9, (double) row->longest / 1e9, row->most,
           (double) row->waited / 1e9, row->last, row->late, (double) row->spread / 1e9);
}

static void
put_table (struct page_data *p, const struct rank_table *t)
{
  static const char *const units[] = { "seconds", "executions", "calls" };
  fprintf (p->out, "{\"unit\":\"%s\",\"per\":%" PRIu32 ",\"numbers\":[", units[t->by],
           t->by == RANK_BY_TIME ? t->model->profile.rate : 1);
  for (size_t i = 0; i < t->nranks; i++)
    fprintf (p->out, "%s%u", i > 0 ? "," : "", rank_number (t, i));
  fputs ("],\n\"rows\":[", p->out);
  for (size_t i = 0; i < t->nrows && i < ROWS; i++)
    {
      fputs (i > 0 ? ",\n[" : "[", p->out);
      put_row (p, t, &t->rows[i]);
    }
  fputs ("],\n\"calls\":[", p->out);
  for (size_t i = 0; i < t->ncalls && i < ROWS; i++)
    {
      fputs (i > 0 ? ",\n[" : "[", p->out);
      put_call (p, &t->calls[i]);
    }
  fputs ("]}", p->out);
}

void
page_ranks (struct page_data *p)
{
  const struct model *m = p->view->model;
  struct rank_table t = { .model = m, .program = p->view->program, .by = rank_default_by (m) };
  struct error none;
  fputs (",\n\"ranks\":", p->out);
  if (m->nruns == 1 && m->runs->sidecar.ranks.n > 1 && rank_table_make (&t, &none))
    put_table (p, &t);
  else
    fputs ("null", p->out);
  rank_table_free (&t);
}
