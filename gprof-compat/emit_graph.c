/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph: for each function, above it who calls it, below it what it calls, with the times that go up. */
#include <inttypes.h>
#include <stdlib.h>

#include "array.h"
#include "emit.h"
#include "name.h"

#define RULE "-----------------------------------------------\n"

/* Has it an entry?  Not one that would show zeros only; among lines only functions, and no cycles. */
static bool
is_wanted (const struct report *r, const struct node *n)
{
  bool empty = n->calls == 0 && n->self_calls == 0 && n->self == 0 && n->child == 0;
  return n->shown && (!empty || r->options->unused) && (!r->options->lines || (!node_is_cycle (n) && n->symbol->is_function));
}

static bool
inside_cycle (const struct node *nodes, const struct arc *a)
{
  return nodes[a->child].cycle != 0 && nodes[a->parent].cycle == nodes[a->child].cycle;
}

/* Least important first: calls inside a cycle by their number, then the others by time and number; calls of itself
   come before all. */
static int
compare_arcs (const struct node *nodes, const struct arc *x, const struct arc *y)
{
  bool x_self = x->parent == x->child, y_self = y->parent == y->child;
  if (x_self || y_self)
    return y_self - x_self;
  bool x_inside = inside_cycle (nodes, x), y_inside = inside_cycle (nodes, y);
  if (x_inside != y_inside)
    return y_inside - x_inside;
  if (!x_inside)
    {
      double x_time = x->time + x->child_time, y_time = y->time + y->child_time;
      if (x_time != y_time)
        return x_time < y_time ? -1 : 1;
    }
  return x->count < y->count ? -1 : x->count > y->count;
}

static int
compare_parents (const void *a, const void *b, void *context)
{
  const struct callgraph *g = context;
  return compare_arcs (g->nodes, &g->arcs[*(const uint32_t *) a], &g->arcs[*(const uint32_t *) b]);
}

static int
compare_children (const void *a, const void *b, void *context)
{
  return compare_parents (b, a, context);
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
  int width;        /* of the column of the children's time */
  uint32_t *sorted; /* room for any list of arcs or members */
};

/* A line above or below a function's own. */
static void
print_relative (const struct page *p, const struct arc *a, const struct node *relative)
{
  const struct node *nodes = p->g->nodes;
  const struct node *child = &nodes[a->child];
  if (a->parent == a->child || inside_cycle (nodes, a))
    fprintf (p->out, "%6.6s %5.5s %7.7s %*s %7" PRIu64 " %7.7s     ", "", "", "", p->width, "", a->count, "");
  else
    fprintf (p->out, "%6.6s %5.5s %7.2f %*.2f %7" PRIu64 "/%-7" PRIu64 "     ", "", "", a->time / p->rate, p->width,
             a->child_time / p->rate, a->count, nodes[child->head].calls);
  name_print_node (p->out, p->r, relative);
  fputc ('\n', p->out);
}

/* The arcs LIST[FROM ... TO), newest first, into the room for sorting, oldest first. */
static uint32_t
copy_backwards (const struct page *p, const uint32_t *list, uint32_t from, uint32_t to)
{
  for (uint32_t i = 0; i < to - from; i++)
    p->sorted[i] = list[to - 1 - i];
  return to - from;
}

static bool
print_parents (const struct page *p, uint32_t node)
{
  const struct callgraph *g = p->g;
  uint32_t n = copy_backwards (p, g->parents, g->first_parent[node], g->first_parent[node + 1]);
  if (n == 0)
    fprintf (p->out, "%6.6s %5.5s %7.7s %*s %7.7s %7.7s     <spontaneous>\n", "", "", "", p->width, "", "", "");
  if (!array_sort (p->sorted, n, sizeof *p->sorted, compare_parents, (void *) g))
    return false;
  for (uint32_t i = 0; i < n; i++)
    print_relative (p, &g->arcs[p->sorted[i]], &g->nodes[g->arcs[p->sorted[i]].parent]);
  return true;
}

static bool
print_children (const struct page *p, uint32_t node)
{
  const struct callgraph *g = p->g;
  uint32_t n = copy_backwards (p, g->children, g->first_child[node], g->first_child[node + 1]);
  if (!array_sort (p->sorted, n, sizeof *p->sorted, compare_children, (void *) g))
    return false;
  for (uint32_t i = 0; i < n; i++)
    print_relative (p, &g->arcs[p->sorted[i]], &g->nodes[g->arcs[p->sorted[i]].child]);
  return true;
}

/* The function's, or the cycle's, own line. */
static void
print_primary (const struct page *p, const struct node *n, double total)
{
  char index[16];
  snprintf (index, sizeof index, "[%" PRIu32 "]", n->index);
  fprintf (p->out, "%-6.6s %5.1f %7.2f %*.2f", index, 100 * (n->self + n->child) / total, n->self / p->rate, p->width,
           n->child / p->rate);
  if (n->calls == 0 && n->self_calls == 0)
    fprintf (p->out, " %7.7s %7.7s ", "", "");
  else
    {
      fprintf (p->out, " %7" PRIu64, n->calls);
      if (n->self_calls != 0)
        fprintf (p->out, "+%-7" PRIu64 " ", n->self_calls);
      else
        fprintf (p->out, " %7.7s ", "");
    }
  if (node_is_cycle (n))
    fprintf (p->out, "<cycle %" PRIu32 " as a whole> [%" PRIu32 "]", n->cycle, n->index);
  else
    name_print_node (p->out, p->r, n);
  fputc ('\n', p->out);
}

static bool
print_members (const struct page *p, const struct node *cycle)
{
  const struct callgraph *g = p->g;
  uint32_t n = 0;
  for (uint32_t m = cycle->next; m != NO_NODE; m = g->nodes[m].next)
    p->sorted[n++] = m;
  if (!array_sort (p->sorted, n, sizeof *p->sorted, compare_members, g->nodes))
    return false;
  for (uint32_t i = 0; i < n; i++)
    {
      const struct node *m = &g->nodes[p->sorted[i]];
      fprintf (p->out, "%6.6s %5.5s %7.2f %*.2f %7" PRIu64, "", "", m->self / p->rate, p->width, m->child / p->rate,
               m->calls);
      if (m->self_calls != 0)
        fprintf (p->out, "+%-7" PRIu64, m->self_calls);
      else
        fprintf (p->out, " %7.7s", "");
      fputs ("     ", p->out);
      name_print_node (p->out, p->r, m);
      fputc ('\n', p->out);
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
body (FILE *out, struct report *r, struct error *err)
{
  const struct callgraph *g = &r->graph;
  uint32_t most = g->narcs > g->nsymbols ? g->narcs : g->nsymbols;
  struct page page = { .out = out, .r = r, .g = g, .rate = r->model.profile.rate, .width = r->options->traditional ? 11 : 7 };
  page.sorted = malloc (((size_t) most + 1) * sizeof *page.sorted);
  if (!page.sorted)
    return error_no_memory (err);
  double total = print_heading (&page);
  const char *rule = r->options->traditional ? "\n" RULE "\n" : RULE;
  bool ok = true;
  for (uint32_t i = 0; ok && i < g->nnodes; i++)
    {
      uint32_t node = g->order[i];
      const struct node *n = &g->nodes[node];
      if (!is_wanted (r, n))
        continue;
      if (node_is_cycle (n))
        {
          print_primary (&page, n, total);
          ok = print_members (&page, n);
        }
      else
        {
          ok = print_parents (&page, node);
          print_primary (&page, n, total);
          ok = ok && print_children (&page, node);
        }
      fputs (rule, out);
    }
  free (page.sorted);
  return ok || error_no_memory (err);
}

static void
explain (FILE *out)
{
  fputs ("\n"
         "How to read the call graph: one entry per function, the one with most time (its own and that of what it\n"
         "called) first.  The line with [n] at its left is the function; above it are its callers, below it the\n"
         "functions that it called.\n"
         "\n"
         "  index      number of the entry; [n] behind a name points to that function's entry\n"
         "  % time     part of the whole run spent in the function and all that it called\n"
         "  self       time in the function itself.  Of a caller: the part that is due to its calls.\n"
         "             Of a callee: the part of its time that is due to this function.\n"
         "  children   likewise the time in what the function called\n"
         "  called     of the function: how often others called it, + how often it called itself.\n"
         "             Of a caller: its calls / all calls.  Of a callee: this function's calls / all calls of it.\n"
         "  name       the function.  <spontaneous>: the caller is unknown (start of the program, signals, code\n"
         "             that was compiled without -pg).\n"
         "\n"
         "Times are passed to callers by the number of calls, as if all calls took the same time.\n"
         "Functions that call each other in a circle are a cycle: an entry of its own, <cycle n as a whole>, with its\n"
         "members below; calls inside it have no times.\n",
         out);
}

const struct emitter emit_graph = { .body = body, .explain = explain };
