/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is stable: members are added; none is changed or removed without a new version
   number. */
#include <inttypes.h>

#include "tools/jumps/jumps.h"
#include "tools/view/json.h"
#include "tools/view/json_model.h"

enum { VERSION = 1 };

static const char *const kinds[] = { [JUMP_FAR] = "jump",
                                     [JUMP_NEXT] = "next",
                                     [JUMP_OUT] = "out",
                                     [JUMP_CALL] = "call",
                                     [JUMP_BACK] = "back" };

static void
print_block (FILE *out, const struct jumps *j, const struct block *b)
{
  if (!b)
    {
      fputs ("null", out);
      return;
    }
  const struct block_row *row = jumps_row (j, b);
  fprintf (out, "{\"address\": \"0x%" PRIx64 "\", \"executions\": %" PRIu64 ", ", b->start,
           b->count);
  json_block (out, row);
  fputc ('}', out);
}

static void
print_jumps (FILE *out, const struct jumps *j, const struct jump_list *l)
{
  for (size_t i = 0; i < l->shown; i++)
    {
      const struct jump *jump = &l->jumps[i];
      fprintf (out, "%s\n    {\"count\": %" PRIu64 ", \"ratio_percent\": ", i ? "," : "",
               jump->count);
      if (jump->decided)
        fprintf (out, "%.4f", jump_ratio (jump));
      else
        fputs ("null", out);
      fprintf (out, ", \"kind\": \"%s\", \"from\": ", kinds[jump->kind]);
      print_block (out, j, jump->from);
      fputs (", \"to\": ", out);
      print_block (out, j, jump->to);
      fputc ('}', out);
    }
}

static void
print_iterations (FILE *out, const struct iteration_counts *t)
{
  const char *comma = "";
  if (!t)
    {
      fputs ("null", out);
      return;
    }
  fprintf (out,
           "{\"entered\": %" PRIu64 ", \"iterations\": %" PRIu64 ", \"min\": %" PRIu64
           ", \"max\": %" PRIu64 ", \"histogram\": [",
           t->entered, t->iterations, t->least, t->most);
  for (unsigned c = 0; c < ITERATION_CLASSES; c++)
    if (t->classes[c])
      {
        fprintf (out, "%s{\"from\": %" PRIu64 ", \"to\": %" PRIu64 ", \"count\": %" PRIu64 "}",
                 comma, iteration_class_least (c), iteration_class_most (c), t->classes[c]);
        comma = ", ";
      }
  fputs ("]}", out);
}

static void
print_loops (FILE *out, const struct jumps *j)
{
  for (size_t i = 0; i < j->shown_rows; i++)
    {
      const struct jumps_loop *l = &j->rows[i];
      fprintf (out,
               "%s\n    {\"entered\": %" PRIu64 ", \"iterations\": %" PRIu64
               ", \"mean\": %.4f, \"depth\": %u, \"head\": ",
               i ? "," : "", l->entered, l->iterations, loop_mean (l), l->loop->depth);
      print_block (out, j, l->head);
      fputs (", \"trace\": ", out);
      print_iterations (out, l->per_entry);
      fputc ('}', out);
    }
}

/* The variants in which jumps between functions were counted. */
static void
print_variants (FILE *out, unsigned variants)
{
  const char *comma = "";
  for (unsigned v = 0; v < JUMPS_VARIANTS; v++)
    if (variants & 1U << v)
      {
        fputs (comma, out);
        json_string (out, jumps_variant (v));
        comma = ", ";
      }
}

void
jumps_emit_json (FILE *out, const struct jumps *j)
{
  const struct model *m = j->model;
  json_head (out, "bbprof-jumps", VERSION, j->program, m);
  fprintf (out,
           ",\n  \"total\": {\"jumps\": %zu, \"loops\": %zu, \"between_functions\": %zu},\n  "
           "\"jumps\": [",
           j->inside.count, j->nrows, j->between.count);
  print_jumps (out, j, &j->inside);
  fputs ("\n  ],\n  \"loops\": [", out);
  print_loops (out, j);
  fputs ("\n  ],\n  \"variants\": [", out);
  print_variants (out, m->jumps_variants);
  fputs ("],\n  \"between_functions\": ", out);
  if (!m->jumps_variants)
    fputs ("null\n}\n", out);
  else
    {
      fputs ("[", out);
      print_jumps (out, j, &j->between);
      fputs ("\n  ]\n}\n", out);
    }
}
