/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampled call stacks as members of report's JSON.  report_emit_json_stacks calls this. */
#include "config.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "common/array.h"
#include "model/elf/demangle.h"
#include "tools/report/report_json_stacks.h"
#include "tools/view/json.h"

struct sampled_stack {
  uint64_t ticks;
  uint64_t node; /* of the tree: its innermost frame */
};

struct stack_list {
  struct sampled_stack *stacks; /* the fewest ticks first */
  size_t count;
  uint32_t *functions; /* of each symbol: its index in stack_functions, and 1; 0: on no stack */
};

static uint32_t
thread_of (const struct contexts *tree, uint32_t node)
{
  while (tree->nodes[node].parent != 0)
    node = tree->nodes[node].parent;
  return node;
}

static bool
is_wanted (const struct report_table *t, uint32_t node)
{
  const struct contexts *tree = &t->stacks;
  const struct context *root = &tree->nodes[thread_of (tree, node)];
  if (tree->nodes[node].ticks == 0)
    return false;
  return root->kind == BBX_FRAME_THREAD ? t->wanted_threads[root->address] : !t->some_threads;
}

static void
note_functions (struct stack_list *l, const struct contexts *tree, uint32_t node)
{
  for (; node != 0; node = tree->nodes[node].parent)
    if (tree->nodes[node].kind == BBX_FRAME_CODE)
      l->functions[tree->nodes[node].address] = 1;
}

static bool
make_list (struct stack_list *l, const struct report_table *t)
{
  const struct contexts *tree = &t->stacks;
  *l = (struct stack_list) { .stacks = malloc ((tree->count + 1) * sizeof *l->stacks),
                             .functions
                             = calloc (t->model->symtab.count + 1, sizeof *l->functions) };
  if (!l->stacks || !l->functions)
    return false;
  /* Sorted and printed in reverse order, so that of equally frequent stacks the first one comes
     first. */
  for (size_t i = tree->count; i-- > 1;)
    if (is_wanted (t, (uint32_t) i))
      {
        l->stacks[l->count++] = (struct sampled_stack) { tree->nodes[i].ticks, i };
        note_functions (l, tree, (uint32_t) i);
      }
  return array_sort_by_number (l->stacks, l->count, sizeof *l->stacks,
                               offsetof (struct sampled_stack, ticks));
}

static void
print_functions (FILE *out, const struct report_table *t, struct stack_list *l)
{
  const char *between = "\n    ";
  uint32_t n = 0;
  fputs ("  \"stack_functions\": [", out);
  for (size_t i = 0; i < t->model->symtab.count; i++)
    if (l->functions[i])
      {
        const struct symbol *s = &t->model->symtab.symbols[i];
        char *name = demangle_name (model_program (t->model), s->name);
        l->functions[i] = ++n;
        fprintf (out, "%s{\"function\": ", between);
        json_string (out, name ? name : s->name);
        fputs (", \"symbol\": ", out);
        json_string (out, s->name);
        fputs (", \"object\": ", out);
        json_string (out, s->object->path);
        fputc ('}', out);
        free (name);
        between = ",\n    ";
      }
  fputs ("],\n", out);
}

static void
print_stack (FILE *out, const struct report_table *t, const struct stack_list *l,
             const struct sampled_stack *stack, const uint32_t *places)
{
  const struct contexts *tree = &t->stacks;
  uint32_t node = (uint32_t) stack->node;
  const struct context *root = &tree->nodes[thread_of (tree, node)];
  fputs ("{\"thread\": ", out);
  if (root->kind == BBX_FRAME_THREAD)
    fprintf (out, "%" PRIu32, places[root->address]);
  else
    fputs ("null", out);
  fprintf (out, ", \"samples\": %" PRIu64 ", \"seconds\": %.6f, \"frames\": [", stack->ticks,
           report_seconds (t, (double) stack->ticks));
  const char *between = "";
  for (; node != 0 && tree->nodes[node].kind != BBX_FRAME_THREAD; node = tree->nodes[node].parent)
    {
      const struct context *c = &tree->nodes[node];
      fputs (between, out);
      if (c->kind == BBX_FRAME_CODE)
        fprintf (out, "%" PRIu32, l->functions[c->address] - 1);
      else
        fputs ("null", out);
      between = ", ";
    }
  fputs ("]}", out);
}

bool
report_emit_json_call_stacks (FILE *out, const struct report_table *t, const uint32_t *threads,
                              size_t nthreads)
{
  struct stack_list l;
  uint32_t *places = calloc (t->model->stacks.nthreads + 1, sizeof *places);
  bool ok = make_list (&l, t) && places;
  for (size_t i = 0; ok && i < nthreads; i++)
    places[threads[i]] = (uint32_t) i;
  if (ok)
    {
      print_functions (out, t, &l);
      fputs ("  \"stacks\": [", out);
      for (size_t i = l.count; i-- > 0;)
        {
          fputs (i + 1 < l.count ? ",\n    " : "\n    ", out);
          print_stack (out, t, &l, &l.stacks[i], places);
        }
      fputs ("],\n", out);
    }
  free (places);
  free (l.stacks);
  free (l.functions);
  return ok;
}
