/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "columns.h"
#include "json.h"
#include "report_relatives.h"
#include "report_tree.h"

enum { LEAST_PERCENT = 1 };

/* Threads of one name.  */

static int
compare_names (const void *a, const void *b, void *context)
{
  const struct stacks_thread *threads = context;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  int order = strcmp (threads[x].fixed.name, threads[y].fixed.name);
  return order ? order : x < y ? -1 : x > y;
}

/* Of each thread the first one of the same name, in fresh memory; null: there is none. */
static uint32_t *
find_first_threads (const struct stacks *s)
{
  uint32_t *list = malloc ((s->nthreads + 1) * sizeof *list), *first = malloc ((s->nthreads + 1) * sizeof *first);
  for (uint32_t i = 0; list && i < s->nthreads; i++)
    list[i] = i;
  bool ok = list && first && array_sort (list, s->nthreads, sizeof *list, compare_names, s->threads);
  for (size_t i = 0; ok && i < s->nthreads; i++)
    {
      bool same = i > 0 && strcmp (s->threads[list[i - 1]].fixed.name, s->threads[list[i]].fixed.name) == 0;
      first[list[i]] = same ? first[list[i - 1]] : list[i];
    }
  free (list);
  if (ok)
    return first;
  free (first);
  return NULL;
}

/* The tree of all of them. */
static bool
unite_threads (const struct report_table *t, struct contexts *tree)
{
  const struct stacks *s = &t->model->stacks;
  uint32_t *first = find_first_threads (s), *entered = calloc (s->tree.count + 1, sizeof *entered);
  bool ok = first && entered;
  for (size_t i = 1; ok && i < s->tree.count; i++)
    {
      const struct context *c = &s->tree.nodes[i];
      bool thread = c->kind == BBX_FRAME_THREAD;
      if (thread ? !t->wanted_threads[c->address] : c->parent != 0 ? entered[c->parent] == 0 : t->some_threads)
        continue;
      entered[i] = contexts_enter (tree, entered[c->parent], c->kind, thread ? first[c->address] : c->address);
      ok = entered[i] != 0;
      if (ok)
        tree->nodes[entered[i]].ticks += c->ticks;
    }
  free (entered);
  free (first);
  return ok;
}

/* Rows.  */

struct weight {
  uint64_t total;
  uint64_t node;
};

/* Links only what is shown, the largest first. */
static bool
link_largest (struct contexts *tree, const uint64_t *totals, uint32_t *depths, size_t depth)
{
  struct weight *list = malloc ((tree->count + 1) * sizeof *list);
  if (!list)
    return false;
  for (size_t i = 0; i < tree->count; i++)
    {
      list[tree->count - 1 - i] = (struct weight) { totals[i], i }; /* so that of equal ones the first comes first, too */
      tree->nodes[i].first = tree->nodes[i].next = 0;
      depths[i] = i > 0 ? depths[tree->nodes[i].parent] + 1 : 0;
    }
  bool ok = array_sort_by_number (list, tree->count, sizeof *list, offsetof (struct weight, total));
  for (size_t i = 0; ok && i < tree->count; i++)
    {
      uint32_t node = (uint32_t) list[i].node;
      struct context *c = &tree->nodes[node];
      bool small = totals[node] == 0 || 100 * (double) totals[node] < LEAST_PERCENT * (double) totals[0];
      if (node == 0 || small || depths[node] > depth)
        continue;
      c->next = tree->nodes[c->parent].first;
      tree->nodes[c->parent].first = node;
    }
  free (list);
  return ok;
}

static char *
name_of (struct report_table *t, const struct context *c)
{
  char *name = NULL;
  if (c->kind == BBX_FRAME_CUT)
    return strdup ("[not known]");
  if (c->kind == BBX_FRAME_CODE)
    {
      const char *function = report_name (t, (uint32_t) c->address);
      return function ? strdup (function) : NULL;
    }
  return asprintf (&name, "[thread %s]", t->model->stacks.threads[c->address].fixed.name) < 0 ? NULL : name;
}

static bool
add_row (struct report_table *t, const struct context *c, uint32_t depth, uint64_t total)
{
  if (!array_grow (&t->tree, t->ntree, &t->room_tree, sizeof *t->tree))
    return false;
  struct report_branch row = { .depth = depth,
                               .name = name_of (t, c),
                               .symbol = c->kind == BBX_FRAME_CODE ? t->graph.nodes[c->address].symbol : NULL,
                               .total = (double) total,
                               .self = (double) c->ticks };
  t->tree[t->ntree++] = row;
  return row.name != NULL;
}

bool
report_make_tree (struct report_table *t, size_t depth)
{
  struct contexts tree = { 0 };
  bool ok = unite_threads (t, &tree);
  uint64_t *totals = contexts_totals (&tree);
  uint32_t *depths = calloc (tree.count + 1, sizeof *depths);
  ok = ok && totals && depths && link_largest (&tree, totals, depths, depth);
  for (uint32_t i = ok ? contexts_next (&tree, 0) : 0; ok && i != 0; i = contexts_next (&tree, i))
    ok = add_row (t, &tree.nodes[i], depths[i] - 1, totals[i]);
  free (depths);
  free (totals);
  contexts_free (&tree);
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
  static const struct column head[] = { { .title = "total" },
                                        { .title = "seconds" },
                                        { .title = "self" },
                                        { .title = "call tree", .left = true, .gives = true } };
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < t->ntree; i++)
    {
      const struct report_branch *b = &t->tree[i];
      columns_add (&c, "%.2f%%", report_percent (t, b->total));
      columns_add (&c, "%.3f", report_seconds (t, b->total));
      columns_add (&c, "%.2f%%", report_percent (t, b->self));
      columns_add (&c, "%*s%s", 2 * (int) b->depth, "", b->name);
    }
  fputc ('\n', out);
  bool ok = columns_print (&c, out, style);
  fprintf (out, "total    %.3f s; what took less than %d%% of that is left out\n", report_seconds (t, t->samples), LEAST_PERCENT);
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
      json_string (out, b->symbol ? b->symbol->name : NULL);
      fputs (", \"object\": ", out);
      json_string (out, b->symbol ? b->symbol->object->path : NULL);
      fprintf (out, ", \"samples\": %.3f, \"self_samples\": %.3f}", b->total, b->self);
    }
  fputs ("],\n", out);
}
