/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "common/visible.h"
#include "tools/jumps/jumps.h"

static const char *const kinds[] = { [JUMP_FAR] = "jump",
                                     [JUMP_NEXT] = "next",
                                     [JUMP_OUT] = "out",
                                     [JUMP_CALL] = "call",
                                     [JUMP_BACK] = "back" };

/* Address and line, aligned as for blocks with a line; null: the column's title. */
static void
print_place (FILE *out, const struct jumps *j, const struct block *b, int width)
{
  char place[512] = "", address[24] = "outside";
  if (b)
    {
      snprintf (address, sizeof address, "0x%" PRIx64, block_address (b));
      block_row_place (place, sizeof place, jumps_row (j, b));
    }
  fprintf (out, " %12s  %-*s", address, width, place);
}

static void
widen (const struct jumps *j, const struct block *b, int *width)
{
  char place[512];
  if (!b)
    return;
  block_row_place (place, sizeof place, jumps_row (j, b));
  if ((int) strlen (place) > *width)
    *width = (int) strlen (place) < BLOCK_ROW_PLACE ? (int) strlen (place) : BLOCK_ROW_PLACE;
}

/* The largest width among the columns of file:line. */
static int
place_width (const struct jumps *j)
{
  const struct jump_list *lists[] = { &j->inside, &j->between };
  int width = (int) strlen ("file:line");
  for (size_t l = 0; l < 2; l++)
    for (size_t i = 0; i < lists[l]->shown; i++)
      {
        widen (j, lists[l]->jumps[i].from, &width);
        widen (j, lists[l]->jumps[i].to, &width);
      }
  for (size_t i = 0; i < j->shown_rows; i++)
    widen (j, j->rows[i].head, &width);
  return width;
}

/* The function around B, and the object if it is not the executable. */
static void
print_function (FILE *out, const struct jumps *j, const struct block *b)
{
  const char *name = b ? jumps_row (j, b)->function : "outside";
  fputs (name ? visible (name) : "?", out);
  if (b && b->object && !object_is_executable (b->object))
    fprintf (out, " (%s)", visible (object_name (b->object)));
}

static void
print_title (FILE *out, const char *title, size_t shown, size_t count)
{
  fprintf (out, "%s (%zu of %zu)\n", title, shown, count);
}

/* COUNT, one of a table's with this SUM: in colour if it is a large part of that. */
static void
print_count (FILE *out, uint64_t count, uint64_t sum, const struct style *style)
{
  style_put (style, out, style_heat (sum > 0 ? (double) count / (double) sum : 0));
  fprintf (out, "%16" PRIu64, count);
  style_put (style, out, PLAIN);
}

static void
print_jump (FILE *out, const struct jumps *j, const struct jump *jump, uint64_t sum, int width,
            const struct style *style)
{
  char ratio[16] = "";
  if (jump->decided)
    snprintf (ratio, sizeof ratio, "%.2f%%", jump_ratio (jump));
  print_count (out, jump->count, sum, style);
  fprintf (out, " %7s  %-4s", ratio, kinds[jump->kind]);
  print_place (out, j, jump->from, width);
  print_place (out, j, jump->to, width);
  fputs ("  ", out);
  print_function (out, j, jump->from);
  if (jump->kind == JUMP_CALL || jump->kind == JUMP_BACK)
    {
      fputs (" -> ", out);
      print_function (out, j, jump->to);
    }
  fputc ('\n', out);
}

static void
print_jumps (FILE *out, const struct jumps *j, const char *title, const struct jump_list *l,
             int width, const struct style *style)
{
  uint64_t sum = 0;
  print_title (out, title, l->shown, l->count);
  if (l->shown > 0)
    {
      style_put (style, out, TITLE);
      fprintf (out, "%16s %7s  %-4s %12s  %-*s %12s  %-*s  %s", "count", "ratio", "kind", "from",
               width, "file:line", "to", width, "file:line", "function");
      style_put (style, out, PLAIN);
      fputc ('\n', out);
    }
  for (size_t i = 0; i < l->count; i++)
    sum += l->jumps[i].count;
  for (size_t i = 0; i < l->shown; i++)
    print_jump (out, j, &l->jumps[i], sum, width, style);
}

static void
print_classes (FILE *out, const struct iteration_counts *t)
{
  fprintf (out, "%16s iterations", "");
  for (unsigned c = 0; c < ITERATION_CLASSES; c++)
    if (t->classes[c] && iteration_class_least (c) == iteration_class_most (c))
      fprintf (out, "  %" PRIu64 ": %" PRIu64, iteration_class_least (c), t->classes[c]);
    else if (t->classes[c])
      fprintf (out, "  %" PRIu64 "-%" PRIu64 ": %" PRIu64, iteration_class_least (c),
               iteration_class_most (c), t->classes[c]);
  fputc ('\n', out);
}

static void
print_loop (FILE *out, const struct jumps *j, const struct jumps_loop *l, uint64_t sum, int width,
            const struct style *style)
{
  const struct iteration_counts *t = l->per_entry;
  char least[24] = "-", most[24] = "-";
  if (t)
    {
      snprintf (least, sizeof least, "%" PRIu64, t->least);
      snprintf (most, sizeof most, "%" PRIu64, t->most);
    }
  fprintf (out, "%16" PRIu64 " ", l->entered);
  print_count (out, l->iterations, sum, style);
  fprintf (out, " %12.2f %10s %10s %5u", loop_mean (l), least, most, l->loop->depth);
  print_place (out, j, l->head, width);
  fputs ("  ", out);
  print_function (out, j, l->head);
  fputc ('\n', out);
  if (t)
    print_classes (out, t);
}

static void
print_loops (FILE *out, const struct jumps *j, int width, const struct style *style)
{
  uint64_t sum = 0;
  print_title (out, "Loops", j->shown_rows, j->nrows);
  if (j->shown_rows > 0)
    {
      style_put (style, out, TITLE);
      fprintf (out, "%16s %16s %12s %10s %10s %5s %12s  %-*s  %s", "entered", "iterations", "mean",
               "least", "most", "depth", "head", width, "file:line", "function");
      style_put (style, out, PLAIN);
      fputc ('\n', out);
    }
  for (size_t i = 0; i < j->nrows; i++)
    sum += j->rows[i].iterations;
  for (size_t i = 0; i < j->shown_rows; i++)
    print_loop (out, j, &j->rows[i], sum, width, style);
}

/* The variant of counting is printed if it is not the usual one. */
static void
print_between (FILE *out, const struct jumps *j, int width, const struct style *style)
{
  print_jumps (out, j, "Jumps between functions", &j->between, width, style);
  for (unsigned v = 1; v < JUMPS_VARIANTS; v++)
    if (j->model->jumps_variants & 1U << v)
      fprintf (out, "Counted with %s.\n", jumps_variant (v));
}

void
jumps_emit_text (FILE *out, const struct jumps *j, const struct style *style)
{
  int width = place_width (j);
  print_jumps (out, j, "Jumps inside functions", &j->inside, width, style);
  fputc ('\n', out);
  print_loops (out, j, width, style);
  fputc ('\n', out);
  if (j->model->jumps_variants)
    print_between (out, j, width, style);
  else
    fputs ("Jumps between functions were not counted.  Compile with -fplugin-arg-bbprof-ax; with "
           "trace=1 or bb.in\n"
           "also run with BBPROF_OPTIONS=jumps=1.\n",
           out);
}
