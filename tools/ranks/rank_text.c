/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/header.h"
#include "common/visible.h"
#include "tools/ranks/rank_table.h"
#include "tools/view/columns.h"
#include "tools/view/plural.h"

enum { STRIP = 32 }; /* cells at most */

/* A cell for each rank, or for some neighbours the one with the most: as high as its part of the
   most. */
static void
make_strip (char *to, size_t size, const struct rank_table *t, const struct rank_row *row,
            const struct style *style)
{
  static const char *const heights[2][9]
      = { { " ", ".", ":", "-", "=", "+", "*", "#", "@" },
          { " ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" } };
  const size_t cells = t->nranks < STRIP ? t->nranks : STRIP;
  const uint64_t most = row->values[row->most];
  size_t used = 0;
  for (size_t i = 0; i < cells; i++)
    {
      uint64_t value = 0;
      for (size_t k = i * t->nranks / cells; k < (i + 1) * t->nranks / cells; k++)
        value = row->values[k] > value ? row->values[k] : value;
      /* what is not nothing is seen */
      size_t height = most ? (size_t) ((8 * (unsigned __int128) value + most - 1) / most) : 0;
      used += (size_t) snprintf (to + used, size - used, "%s", heights[style->utf8][height]);
    }
}

static void
add_value (struct columns *c, const struct rank_table *t, double value, bool whole)
{
  if (t->by == RANK_BY_TIME)
    columns_add (c, "%.3f", value / t->model->profile.rate);
  else
    columns_add (c, whole ? "%.0f" : "%.1f", value);
}

static void
add_row (struct columns *c, const struct rank_table *t, const struct rank_row *row,
         const struct style *style)
{
  const char *object
      = row->object && objects_are_many (&t->model->objects) ? object_name (row->object) : NULL;
  char strip[4 * STRIP + 1];
  make_strip (strip, sizeof strip, t, row, style);
  add_value (c, t, (double) row->total, true);
  add_value (c, t, (double) row->values[row->least], true);
  columns_add (c, "%u", rank_number (t, row->least));
  add_value (c, t, rank_mean (t, row->total), false);
  add_value (c, t, (double) row->values[row->most], true);
  columns_add (c, "%u", rank_number (t, row->most));
  columns_add (c, "%.1f%%", 100 * rank_imbalance (t, row));
  columns_add (c, "%s", strip);
  columns_add (c, "%s", object ? object : COLUMNS_NOTHING);
  columns_add (c, "%s", visible (row->name));
}

static bool
print_rows (FILE *out, const struct rank_table *t, const struct style *style)
{
  static const char *const totals[] = { "seconds", "executions", "calls" };
  static const char *const names[] = { "function", "line", "block" };
  const struct column head[] = { { .title = totals[t->by] },
                                 { .title = "least" },
                                 { .title = "rank" },
                                 { .title = "mean" },
                                 { .title = "most" },
                                 { .title = "rank" },
                                 { .title = "imbalance" },
                                 { .title = "ranks", .left = true },
                                 { .title = "object", .left = true },
                                 { .title = names[t->what], .left = true, .gives = true } };
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < t->nrows && i < t->limit; i++)
    add_row (&c, t, &t->rows[i], style);
  fputc ('\n', out);
  bool ok = columns_print (&c, out, style);
  columns_free (&c);
  return ok;
}

static void
add_late (struct columns *c, const struct rank_table *t, const struct rank_call_row *row)
{
  if (row->judged == 0 || row->last == 0)
    {
      for (int i = 0; i < 4; i++)
        columns_add (c, COLUMNS_NOTHING);
      return;
    }
  columns_add (c, "%.3f", (double) row->waited / 1e9);
  columns_add (c, "%u", rank_number (t, row->late));
  columns_add (c, "%" PRIu64, row->last);
  columns_add (c, "%.3f", (double) row->spread / 1e9);
}

static bool
print_calls (FILE *out, const struct rank_table *t, const struct style *style)
{
  static const struct column head[] = { { .title = "seconds" },
                                        { .title = "most" },
                                        { .title = "rank" },
                                        { .title = "calls" },
                                        { .title = "bytes" },
                                        { .title = "waited" },
                                        { .title = "last rank" },
                                        { .title = "times" },
                                        { .title = "late by" },
                                        { .title = "call", .left = true },
                                        { .title = "from", .left = true, .gives = true } };
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < t->ncalls && i < t->limit; i++)
    {
      const struct rank_call_row *row = &t->calls[i];
      columns_add (&c, "%.3f", (double) row->nanoseconds / 1e9);
      columns_add (&c, "%.3f", (double) row->longest / 1e9);
      columns_add (&c, "%u", rank_number (t, row->most));
      columns_add (&c, "%" PRIu64, row->calls);
      columns_add (&c, "%" PRIu64, row->bytes);
      add_late (&c, t, row);
      columns_add (&c, "%s", bbx_rank_call_name (row->call));
      columns_add (&c, "%s", row->from ? visible (row->from) : COLUMNS_NOTHING);
    }
  fputc ('\n', out);
  bool ok = columns_print (&c, out, style);
  columns_free (&c);
  return ok;
}

static void
print_head (FILE *out, const struct rank_table *t)
{
  uint64_t time = 0, in_calls = 0, unlisted = 0, unjudged = 0;
  for (size_t i = 0; i < t->nranks; i++)
    {
      time += t->ranks[i].fixed.time;
      unlisted += t->ranks[i].fixed.unlisted;
      unjudged += t->ranks[i].fixed.unjudged;
    }
  for (size_t i = 0; i < t->ncalls; i++)
    in_calls += t->calls[i].nanoseconds;
  header_print (out, "program", "%s, profile %s", visible (t->program),
                visible (t->model->runs->profile));
  header_print (out, "ranks", "%zu of %u", t->nranks, t->ranks->fixed.size);
  header_print (out, "MPI", "%.3f s of %.3f s from MPI_Init on, all ranks: %.1f%%",
                (double) in_calls / 1e9, (double) time / 1e9,
                time ? 100 * (double) in_calls / (double) time : 0);
  if (unlisted > 0)
    header_print (out, "lost", "%" PRIu64 " call%s of MPI, for lack of room", unlisted,
                  plural (unlisted));
  if (unjudged > 0)
    header_print (out, "unknown", "who came last to %" PRIu64 " collective call%s", unjudged,
                  plural (unjudged));
}

bool
rank_emit_text (FILE *out, const struct rank_table *t, const struct style *style)
{
  warnings_show (out, &t->model->warnings);
  print_head (out, t);
  return print_rows (out, t, style) && (t->ncalls == 0 || print_calls (out, t, style));
}
