/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph: for each function its callers above it and its callees below it, with the times
   that are passed to callers. */
#include <stdlib.h>

#include "common/array.h"
#include "common/row.h"
#include "gprof-compat/emit.h"
#include "gprof-compat/labels.h"
#include "model/graph/relatives.h"

/* Widths of the columns, and of the gap before the name. */
enum { INDEX_WIDTH = 6, PERCENT_WIDTH = 5, TIME_WIDTH = 7, CALLS_WIDTH = 7, NAME_GAP = 5 };

#define RULE "-----------------------------------------------"

/* Has it an entry?  Not one that would show only zeros.  With -l only functions have one, and
   cycles have none. */
static bool
is_wanted (const struct report *r, const struct node *n)
{
  bool empty = n->calls == 0 && n->self_calls == 0 && n->self == 0 && n->child == 0;
  return n->shown && (!empty || r->options->unused)
         && (!r->options->lines || (!node_is_cycle (n) && n->symbol->is_function));
}

/* The most time first, then the most calls. */
static int
compare_members (const void *a, const void *b, void *context)
{
  const struct node *nodes = context;
  const struct node *x = &nodes[*(const uint32_t *) a], *y = &nodes[*(const uint32_t *) b];
  double x_time = x->self + x->child, y_time = y->self + y->child;
  if (x_time != y_time)
    return x_time > y_time ? -1 : 1;
  uint64_t x_calls = x->calls + x->self_calls, y_calls = y->calls + y->self_calls;
  return x_calls > y_calls ? -1 : x_calls < y_calls;
}

struct page {
  FILE *out;
  const struct report *r;
  const struct callgraph *g;
  double rate;
  int width;      /* of the column of the children's time */
  struct row row; /* lines that are not printed yet */
  struct labels labels;
  struct relatives relatives;
  uint32_t *members; /* room for the members of a cycle */
};

/* The function that the line of RELATIVE is about. */
static uint32_t
other_end (const struct page *p, const struct relative *relative, bool is_parent)
{
  const struct arc *a = &p->g->arcs[relative->arc];
  return is_parent ? a->parent : a->child;
}

/* Prints a line above or below a function's own. */
static void
print_relative (struct page *p, const struct relative *relative, bool is_parent)
{
  const struct arc *a = &p->g->arcs[relative->arc];
  struct row *row = &p->row;
  row_blanks (row, INDEX_WIDTH + 1 + PERCENT_WIDTH + 1);
  if (relative_is_close (relative))
    {
      row_blanks (row, TIME_WIDTH + 1 + p->width + 1);
      row_number (row, CALLS_WIDTH, a->count);
      row_blanks (row, 1 + CALLS_WIDTH);
    }
  else
    {
      row_fixed (row, TIME_WIDTH, 2, a->time / p->rate);
      row_blanks (row, 1);
      row_fixed (row, p->width, 2, a->child_time / p->rate);
      row_blanks (row, 1);
      row_number (row, CALLS_WIDTH, a->count);
      row_text (row, "/");
      row_number_left (row, CALLS_WIDTH, p->labels.of[a->child].calls);
    }
  row_blanks (row, NAME_GAP);
  labels_end_line (&p->labels, row, p->out, other_end (p, relative, is_parent));
}

/* Prints the lines of all relatives.  Their data are anywhere in memory, so the processor is told
   to fetch all of them before the first is needed. */
static void
print_relatives (struct page *p, bool are_parents)
{
  const struct relatives *r = &p->relatives;
  for (uint32_t i = 0; i < r->count; i++)
    __builtin_prefetch (&p->labels.of[other_end (p, &r->list[i], are_parents)]);
  for (uint32_t i = 0; i < r->count; i++)
    __builtin_prefetch (p->labels.of[other_end (p, &r->list[i], are_parents)].text);
  for (uint32_t i = 0; i < r->count; i++)
    print_relative (p, &r->list[i], are_parents);
}

static bool
print_parents (struct page *p, uint32_t node)
{
  struct relatives *r = &p->relatives;
  if (!relatives_parents (r, node))
    return false;
  if (r->count == 0)
    {
      row_blanks (&p->row, INDEX_WIDTH + 1 + PERCENT_WIDTH + 1 + TIME_WIDTH + 1 + p->width + 1
                               + CALLS_WIDTH + 1 + CALLS_WIDTH + NAME_GAP);
      row_text (&p->row, "<spontaneous>");
      row_end_line (&p->row, p->out);
    }
  print_relatives (p, true);
  return true;
}

static bool
print_children (struct page *p, uint32_t node)
{
  if (!relatives_children (&p->relatives, node))
    return false;
  print_relatives (p, false);
  return true;
}

static void
put_own_times (struct page *p, const struct node *n)
{
  row_fixed (&p->row, TIME_WIDTH, 2, n->self / p->rate);
  row_blanks (&p->row, 1);
  row_fixed (&p->row, p->width, 2, n->child / p->rate);
  row_blanks (&p->row, 1);
}

static void
put_self_calls (struct page *p, const struct node *n)
{
  row_text (&p->row, n->self_calls != 0 ? "+" : " ");
  if (n->self_calls != 0)
    row_number_left (&p->row, CALLS_WIDTH, n->self_calls);
  else
    row_blanks (&p->row, CALLS_WIDTH);
}

/* Prints the own line of a function or cycle. */
static void
print_primary (struct page *p, const struct node *n, double total)
{
  struct row *row = &p->row;
  const size_t start = row->size;
  row_text (row, "[");
  row_number (row, 0, n->index);
  row_text (row, "]");
  row_cut (row, start, INDEX_WIDTH);
  row_blanks (row, 1);
  row_fixed (row, PERCENT_WIDTH, 1, 100 * (n->self + n->child) / total);
  row_blanks (row, 1);
  put_own_times (p, n);
  if (n->calls == 0 && n->self_calls == 0)
    row_blanks (row, CALLS_WIDTH + 1 + CALLS_WIDTH);
  else
    {
      row_number (row, CALLS_WIDTH, n->calls);
      put_self_calls (p, n);
    }
  row_blanks (row, 1);
  if (!node_is_cycle (n))
    {
      labels_end_line (&p->labels, row, p->out, (uint32_t) (n - p->g->nodes));
      return;
    }
  row_text (row, "<cycle ");
  row_number (row, 0, n->cycle);
  row_text (row, " as a whole> [");
  row_number (row, 0, n->index);
  row_text (row, "]");
  row_end_line (row, p->out);
}

static bool
print_members (struct page *p, const struct node *cycle)
{
  struct row *row = &p->row;
  const struct callgraph *g = p->g;
  uint32_t n = 0;
  for (uint32_t m = cycle->next; m != NO_NODE; m = g->nodes[m].next)
    p->members[n++] = m;
  if (!array_sort (p->members, n, sizeof *p->members, compare_members, g->nodes))
    return false;
  for (uint32_t i = 0; i < n; i++)
    {
      const struct node *m = &g->nodes[p->members[i]];
      row_blanks (row, INDEX_WIDTH + 1 + PERCENT_WIDTH + 1);
      put_own_times (p, m);
      row_number (row, CALLS_WIDTH, m->calls);
      put_self_calls (p, m);
      row_blanks (row, NAME_GAP);
      labels_end_line (&p->labels, row, p->out, p->members[i]);
    }
  return true;
}

static double
print_heading (const struct page *p)
{
  const struct profile *profile = &p->r->model.profile;
  const struct options *o = p->r->options;
  double total = p->g->shown_samples;
  if (!o->traditional)
    fputs (o->brief ? "\t\t\tCall graph\n\n" : "\t\t     Call graph (explained below)\n\n", p->out);
  fprintf (p->out, "\ngranularity: each sample hit covers %ld byte(s)", (long) profile->scale * 2);
  if (total > 0)
    fprintf (p->out, " for %.2f%% of %.2f seconds\n\n", 100.0 / total, total / p->rate);
  else
    {
      fputs (" no time propagated\n\n", p->out);
      total = 1;
    }
  fputs (!o->traditional ? "index % time    self  children    called     name\n"
                         : "                                  called/total       parents \n"
                           "index  %time    self descendants  called+self    name    \tindex\n"
                           "                                  called/total       children\n\n",
         p->out);
  return total;
}

static bool
print_entries (struct page *p)
{
  const struct callgraph *g = p->g;
  double total = print_heading (p);
  const char *rule = p->r->options->traditional ? "\n" RULE "\n" : RULE;
  bool ok = true;
  row_begin (&p->row);
  for (uint32_t i = 0; ok && i < g->nnodes; i++)
    {
      uint32_t node = g->order[i];
      const struct node *n = &g->nodes[node];
      relatives_expect (&p->relatives, i);
      if (!is_wanted (p->r, n))
        continue;
      if (node_is_cycle (n))
        {
          print_primary (p, n, total);
          ok = print_members (p, n);
        }
      else
        {
          ok = print_parents (p, node);
          print_primary (p, n, total);
          ok = ok && print_children (p, node);
        }
      row_text (&p->row, rule);
      row_end_line (&p->row, p->out);
    }
  row_print (&p->row, p->out);
  return ok;
}

static bool
body (FILE *out, struct report *r, struct error *err)
{
  const struct callgraph *g = &r->graph;
  struct page page = { .out = out,
                       .r = r,
                       .g = g,
                       .rate = r->model.profile.rate,
                       .width = r->options->traditional ? 11 : 7 };
  page.members = malloc (((size_t) g->nsymbols + 1) * sizeof *page.members);
  bool ok = relatives_init (&page.relatives, g) && labels_make (&page.labels, r) && page.members
            && print_entries (&page);
  free (page.members);
  labels_free (&page.labels);
  relatives_free (&page.relatives);
  return ok || error_no_memory (err);
}

static void
explain (FILE *out)
{
  fputs (
      "\n"
      "How to read the call graph: one entry per function, the one with most time (its own and "
      "that of what it\n"
      "called) first.  The line with [n] at its left is the function; above it are its callers, "
      "below it the\n"
      "functions that it called.\n"
      "\n"
      "  index      number of the entry; [n] behind a name points to that function's entry\n"
      "  % time     part of the whole run spent in the function and all that it called\n"
      "  self       time in the function itself.  Of a caller: the part that is due to its calls.\n"
      "             Of a callee: the part of its time that is due to this function.\n"
      "  children   likewise the time in what the function called\n"
      "  called     of the function: how often others called it, + how often it called itself.\n"
      "             Of a caller: its calls / all calls.  Of a callee: this function's calls / all "
      "calls of it.\n"
      "  name       the function.  <spontaneous>: the caller is unknown (start of the program, "
      "signals, code\n"
      "             that was compiled without -pg).\n"
      "\n"
      "Times are passed to callers by the number of calls, as if all calls took the same time.\n"
      "Functions that call each other in a circle are a cycle: an entry of its own, <cycle n as a "
      "whole>, with its\n"
      "members below; calls inside it have no times.\n",
      out);
}

const struct emitter emit_graph = { .body = body, .explain = explain };
