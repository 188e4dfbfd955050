/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints callers and callees of the hottest functions. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/elf/demangle.h"
#include "model/open_counts.h"
#include "tools/report/report_emit.h"
#include "tools/view/columns.h"

enum { MOST = 5 }; /* callers, callees, and inlined functions, of one function */

static void
add_calls (struct columns *c, uint64_t calls)
{
  if (calls > 0)
    columns_add (c, "%" PRIu64, calls);
  else
    columns_add (c, COLUMNS_NOTHING);
}

/* Adds a share with its mark. */
static void
add_share (struct columns *c, const struct report_relative *r, bool *seen)
{
  static const char marks[] = {
    [REPORT_NOTHING] = ' ', [REPORT_RIGHT] = ' ', [REPORT_ASSUMED] = '~', [REPORT_WRONG] = '!'
  };
  enum report_verdict verdict = r->share > 0 ? report_verdict (r) : REPORT_NOTHING;
  if (verdict == REPORT_RIGHT && r->inherits)
    verdict = REPORT_ASSUMED;
  seen[verdict] = true;
  if (r->share < 0)
    columns_add (c, COLUMNS_NOTHING);
  else
    columns_add (c, "%.1f%%%c", 100 * r->share, marks[verdict]);
}

static void
add_relative (struct columns *c, const struct report_relative *r, bool caller, bool *seen)
{
  char text[OPEN_COUNT_TEXT];
  if (r->open.more + r->open.fewer > 0)
    columns_add (c, "%s", open_count_text (text, r->calls, r->open));
  else
    add_calls (c, r->calls);
  add_share (c, r, seen);
  if (caller && r->by_calls >= 0 && r->measured >= 0)
    columns_add (c, "%.1f%%", 100 * r->measured);
  else
    columns_add (c, COLUMNS_NOTHING);
  columns_add (c, "  %s %s", caller ? "from" : "calls", r->name ? r->name : "outside");
}

static void
add_relatives (struct columns *c, const struct report_relatives *all, bool callers, bool *seen)
{
  uint64_t rest = 0;
  for (size_t i = 0; i < all->count; i++)
    if (i < MOST)
      add_relative (c, &all->list[i], callers, seen);
    else
      rest += all->list[i].calls;
  if (all->count <= MOST)
    return;
  add_calls (c, rest);
  columns_add (c, COLUMNS_NOTHING);
  columns_add (c, COLUMNS_NOTHING);
  columns_add (c, "  %s %zu more", callers ? "from" : "calls", all->count - MOST);
}

/* The shares are parts of the function's total, as those of callees. */
static void
add_inlined (struct columns *c, const struct report_table *t, const struct report_function *f)
{
  for (size_t i = 0; i < f->ninlined && i < MOST; i++)
    {
      const struct inlined *g = &f->inlined[i];
      char *name = demangle_name (model_program (t->model), g->function);
      add_calls (c, g->entered);
      if (f->total > 0)
        columns_add (c, "%.1f%% ", 100 * g->samples / f->total);
      else
        columns_add (c, COLUMNS_NOTHING);
      columns_add (c, COLUMNS_NOTHING);
      columns_add (c, "  inlined %s", name ? name : g->function);
      free (name);
    }
}

static void
add_function (struct columns *c, const struct report_table *t, const struct report_function *f,
              bool *seen)
{
  if (f->callers.count + f->callees.count + f->ninlined == 0)
    return;
  add_calls (c, f->calls);
  columns_add (c, "%s", "");
  columns_add (c, "%s", "");
  if (f->cycle != 0)
    columns_add (c, "%s <cycle %" PRIu32 ">", f->name, f->cycle);
  else
    columns_add (c, "%s", f->name);
  add_relatives (c, &f->callers, true, seen);
  add_relatives (c, &f->callees, false, seen);
  add_inlined (c, t, f);
}

bool
report_emit_relatives (FILE *out, const struct report_table *t, const struct style *style,
                       size_t detailed)
{
  static const struct column head[]
      = { { .title = "calls" },
          { .title = "share " },
          { .title = "measured" },
          { .title = "callers and callees", .left = true, .gives = true } };
  bool seen[REPORT_WRONG + 1] = { 0 };
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < t->nfunctions && i < detailed; i++)
    add_function (&c, t, &t->functions[i], seen);
  if (c.count > 0)
    fputc ('\n', out);
  bool ok = columns_print (&c, out, style);
  style_put (style, out, FAINT);
  if (seen[REPORT_ASSUMED])
    fputs ("~ estimated from call counts; right only if all calls cost the same\n", out);
  if (seen[REPORT_WRONG])
    fputs ("! estimated from call counts; contradicted by the measurement\n", out);
  if (c.count > 0 && !t->model->has_stacks && t->recorded > 0 && t->executions > t->recorded)
    fprintf (out, "measured: from traces of %.1f%% of all block executions\n",
             100 * (double) t->recorded / (double) t->executions);
  style_put (style, out, PLAIN);
  columns_free (&c);
  return ok;
}
