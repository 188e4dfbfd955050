/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/header.h"
#include "model/elf/demangle.h"
#include "tools/frames/folded_frames.h"
#include "tools/report/report_names.h"
#include "tools/report/report_tree.h"
#include "tools/view/bar.h"
#include "tools/view/json.h"

enum { LEAST_PERCENT = 1 };

/* Rows.  */

struct weight {
  uint64_t total;
  uint64_t node;
};

/* Links the nodes that are shown, largest first. */
static bool
link_largest (struct contexts *tree, const uint64_t *totals, uint32_t *depths, size_t depth)
{
  struct weight *list = malloc ((tree->count + 1) * sizeof *list);
  if (!list)
    return false;
  for (size_t i = 0; i < tree->count; i++)
    {
      /* So that among equals the first one comes first again. */
      list[tree->count - 1 - i] = (struct weight) { totals[i], i };
      tree->nodes[i].first = tree->nodes[i].next = 0;
      depths[i] = i > 0 ? depths[tree->nodes[i].parent] + 1 : 0;
    }
  bool ok = array_sort_by_number (list, tree->count, sizeof *list, offsetof (struct weight, total));
  for (size_t i = 0; ok && i < tree->count; i++)
    {
      uint32_t node = (uint32_t) list[i].node;
      struct context *c = &tree->nodes[node];
      bool small = totals[node] == 0
                   || 100 * (double) totals[node] < LEAST_PERCENT * (double) totals[0];
      if (node == 0 || small || depths[node] > depth)
        continue;
      c->next = tree->nodes[c->parent].first;
      tree->nodes[c->parent].first = node;
    }
  free (list);
  return ok;
}

static char *
name_of (struct report_table *t, const struct frames *f, const struct context *c)
{
  char *name = NULL;
  const char *known = NULL;
  switch (c->kind)
    {
    case BBX_FRAME_CUT: known = "[unknown]"; break;
    case BBX_FRAME_CODE: known = report_name (t, f->functions[c->address].number); break;
    case FRAMES_INLINED:
      known = f->functions[c->address].symbol;
      if ((name = demangle_name (model_program (t->model), known)))
        return name;
      break;
    default:
      return asprintf (&name, "[thread %s]", t->model->stacks.threads[c->address].fixed.name) < 0
                 ? NULL
                 : name;
    }
  return known ? strdup (known) : NULL;
}

static bool
add_row (struct report_table *t, const struct frames *f, const struct folded_frames *folded,
         uint32_t node, uint32_t depth, uint64_t total)
{
  const struct context *c = &folded->tree.nodes[node];
  const struct frames_function *function
      = c->kind == BBX_FRAME_CODE || c->kind == FRAMES_INLINED ? &f->functions[c->address] : NULL;
  if (!array_grow (&t->tree, t->ntree, &t->room_tree, sizeof *t->tree))
    return false;
  struct report_branch row
      = { .depth = depth,
          .name = name_of (t, f, c),
          .symbol = c->kind == BBX_FRAME_CODE ? t->graph.nodes[function->number].symbol : NULL,
          .inlined = c->kind == FRAMES_INLINED ? function->symbol : NULL,
          .levels = folded->levels[node],
          .by_pointer = c->by_pointer,
          .total = (double) total,
          .self = (double) c->ticks };
  t->tree[t->ntree++] = row;
  return row.name != NULL;
}

bool
report_make_tree (struct report_table *t, size_t depth)
{
  const struct frames_choice choice
      = { .no_inlines = t->no_inlines, .threads = t->some_threads ? t->wanted_threads : NULL };
  const struct fold_choice fold = { .threads = true, .inlined = true, .no_fold = t->no_fold };
  struct frames frames;
  struct folded_frames folded = { 0 };
  bool ok = frames_make (&frames, t->model, &choice)
            && folded_frames_make (&folded, &frames, t->model, &fold);
  struct contexts *tree = &folded.tree;
  uint64_t *totals = contexts_totals (tree);
  uint32_t *depths = calloc (tree->count + 1, sizeof *depths);
  ok = ok && totals && depths && link_largest (tree, totals, depths, depth);
  for (uint32_t i = ok ? contexts_next (tree, 0) : 0; ok && i != 0; i = contexts_next (tree, i))
    ok = add_row (t, &frames, &folded, i, depths[i] - 1, totals[i]);
  free (depths);
  free (totals);
  folded_frames_free (&folded);
  frames_free (&frames);
  return ok;
}

void
report_tree_free (struct report_table *t)
{
  for (size_t i = 0; i < t->ntree; i++)
    free (t->tree[i].name);
  free (t->tree);
}

/* Printing.  */

bool
report_emit_tree (FILE *out, const struct report_table *t, const struct style *style)
{
  static const struct column head[]
      = { BAR_COLUMN,
          { .title = "total", .heat = true },
          { .title = "seconds" },
          { .title = "self" },
          { .title = "call tree", .left = true, .gives = true, .deep = true } };
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < t->ntree; i++)
    {
      const struct report_branch *b = &t->tree[i];
      const double share = report_percent (t, b->total) / 100;
      columns_share (&c, share);
      bar_add (&c, style, share);
      columns_add (&c, "%.2f%%", report_percent (t, b->total));
      columns_add (&c, "%.3f", report_seconds (t, b->total));
      columns_add (&c, "%.2f%%", report_percent (t, b->self));
      char levels[16] = "";
      if (b->levels > 1)
        snprintf (levels, sizeof levels, " x%" PRIu32, b->levels);
      columns_add (&c, "%*s%s%s%s%s", 2 * (int) b->depth, "", b->name,
                   b->inlined ? " [inlined]" : "", levels,
                   b->by_pointer ? " [by frame pointer]" : "");
    }
  fputc ('\n', out);
  bool ok = columns_print (&c, out, style);
  header_print (out, "total", "%.3f s; rows below %d%% of that are left out",
                report_seconds (t, t->samples), LEAST_PERCENT);
  columns_free (&c);
  return ok;
}

void
report_emit_json_tree (FILE *out, const struct report_table *t)
{
  fputs ("  \"tree\": [", out);
  for (size_t i = 0; i < t->ntree; i++)
    {
      const struct report_branch *b = &t->tree[i];
      fprintf (out, "%s\n    {\"depth\": %" PRIu32 ", \"function\": ", i > 0 ? "," : "", b->depth);
      json_string (out, b->name);
      fputs (", \"symbol\": ", out);
      json_string (out, b->symbol ? b->symbol->name : b->inlined);
      fputs (", \"object\": ", out);
      json_string (out, b->symbol ? b->symbol->object->path : NULL);
      fprintf (out,
               ", \"inlined\": %s, \"by_frame_pointer\": %s, \"levels\": %" PRIu32
               ", \"samples\": %.3f, \"self_samples\": %.3f}",
               b->inlined ? "true" : "false", b->by_pointer ? "true" : "false", b->levels, b->total,
               b->self);
    }
  fputs ("],\n", out);
}
