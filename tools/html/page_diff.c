/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison with an old profile: what `bbprof diff' computes for each function, and the old
   profile's stacks. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "tools/html/page_data.h"
#include "tools/page/web_numbers.h"
#include "tools/view/json.h"

static void
put_run_set (FILE *out, const char *name, const struct run_set *s)
{
  fprintf (out, "\"%s\":{\"program\":", name);
  json_string_in_html (out, s->program ? s->program : "");
  fputs (",\"build\":", out);
  json_string_in_html (out, s->build_id ? s->build_id : "");
  fputs (",\"inexact\":", out);
  json_string_in_html (out, s->inexact ? s->inexact : "");
  fprintf (out, ",\"runs\":%zu},\n", s->runs);
}

static void
put_number (FILE *out, double n)
{
  fprintf (out, isfinite (n) ? ",%.17g" : ",null", n);
}

static void
put_metric (FILE *out, const struct diff *d, const struct diff_row *r, enum metric m)
{
  if (!d->has[m])
    {
      fputs (",null,null,null", out);
      return;
    }
  put_number (out, diff_value (d->before, r->before, m));
  put_number (out, diff_value (d->now, r->now, m));
  fputs (diff_is_same (d, r, m) ? ",1" : ",0", out);
}

/* Name; file of a static function; object (empty: the program); for time, calls and executions:
   old, new (null: not in both), whether that is no difference; p of the times (null: not
   tested). */
static void
put_row (FILE *out, const struct diff *d, const struct diff_row *r)
{
  const struct run_set_function *f = diff_is_added (d, r) ? r->now : r->before;
  json_string_in_html (out, r->name ? r->name : "");
  fputc (',', out);
  json_string_in_html (out, r->name ? f->file : "");
  fputc (',', out);
  json_string_in_html (out, r->name ? f->object : "");
  put_metric (out, d, r, METRIC_TIME);
  put_metric (out, d, r, METRIC_CALLS);
  put_metric (out, d, r, METRIC_EXECUTIONS);
  if (r->tested)
    put_number (out, r->p);
  else
    fputs (",null", out);
}

static void
put_rows (FILE *out, const struct diff *d)
{
  fputs ("\"total\":[", out);
  put_row (out, d, &d->total);
  fputs ("],\n\"rows\":[", out);
  for (size_t i = 0; i < d->count; i++)
    {
      fputs (i > 0 ? ",\n[" : "[", out);
      put_row (out, d, &d->rows[i]);
      fputc (']', out);
    }
  fputc (']', out);
}

/* The rows of run set S's functions, by their number; each and 1. */
static bool
find_rows (const struct diff *d, const struct run_set *s, uint64_t **rows)
{
  *rows = calloc (HASH_COUNT (s->functions) + 1, sizeof **rows);
  for (size_t i = 0; *rows && i < d->count; i++)
    {
      const struct run_set_function *f = s == d->now ? d->rows[i].now : d->rows[i].before;
      if (f != &s->none)
        (*rows)[f->number] = i + 1;
    }
  return *rows != NULL;
}

/* For each function of V: its row and 1.  0: none, as for inlined functions, whose time and counts
   belong to the functions that they are inlined into. */
static void
put_row_of (struct page_data *p, const char *name, const struct export_view *v,
            const struct run_set *s)
{
  const struct frames *f = &v->frames;
  uint64_t *rows, *of = calloc (f->nfunctions + 1, sizeof *of);
  p->ok = find_rows (p->choice->comparison->diff, s, &rows) && of && p->ok;
  for (size_t i = 0; p->ok && i < f->nplaces; i++)
    {
      const struct frames_place *place = &f->places[i];
      uint64_t *row = &of[f->lines[place->first + place->nlines - 1].function];
      if (*row > 0)
        continue;
      const struct run_set_function *function
          = run_set_find_symbol (s, &v->model->symtab.symbols[place->symbol]);
      p->ok = function;
      if (function && function != &s->none)
        *row = rows[function->number];
    }
  fprintf (p->out, ",\n\"%s\":\"", name);
  for (size_t i = 0; p->ok && i < f->nfunctions; i++)
    web_number (p->out, of[i]);
  fputc ('"', p->out);
  free (rows);
  free (of);
}

void
page_diff (struct page_data *p)
{
  if (!p->choice->comparison)
    return;
  const struct diff *d = p->choice->comparison->diff;
  const struct export_view *old = p->choice->comparison->old, *now = p->view;
  fputs (",\n\"diff\":{", p->out);
  put_run_set (p->out, "old", d->before);
  put_run_set (p->out, "new", d->now);
  fprintf (p->out, "\"significant\":%g,\n", DIFF_SIGNIFICANT);
  put_rows (p->out, d);
  put_row_of (p, "rowOf", now, d->now);
  if (old)
    {
      put_row_of (p, "rowOfOld", old, d->before);
      fputs (",\n\"before\":{\"program\":", p->out);
      json_string_in_html (p->out, old->program);
      p->view = old;
      page_run (p);
      page_stacks (p);
      page_functions (p);
      p->view = now;
      fputc ('}', p->out);
    }
  fputc ('}', p->out);
}
