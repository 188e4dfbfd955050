/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flat profile: functions by self time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/row.h"
#include "gprof-compat/emit.h"
#include "gprof-compat/name.h"
#include "model/graph/ranks.h"

/* For functions with equal time and calls. */
static int
compare_names (const void *a, const void *b, void *context)
{
  const struct node *nodes = context;
  const struct rank *x = a, *y = b;
  return strcmp (nodes[x->node].symbol->name, nodes[y->node].symbol->name);
}

/* The functions in the order of the lines: most time first, then most calls; null: out of
   memory. */
static struct rank *
sort_nodes (const struct callgraph *g)
{
  struct rank *sorted = malloc (((size_t) g->nsymbols + 1) * sizeof *sorted);
  if (!sorted)
    return NULL;
  for (uint32_t i = 0; i < g->nsymbols; i++)
    sorted[i] = (struct rank) { rank_down (g->nodes[i].time), UINT64_MAX - g->nodes[i].calls, i };
  if (ranks_sort (sorted, g->nsymbols, compare_names, g->nodes))
    return sorted;
  free (sorted);
  return NULL;
}

/* The unit of the time per call. */
struct unit {
  char prefix;
  double per_second;
};

/* Chooses the unit in which the largest time per call is at least 1 and less than 1000.  BSD's
   gprof always shows milliseconds. */
static struct unit
choose_unit (const struct report *r)
{
  static const struct unit units[] = { { 'T', 1e-12 }, { 'G', 1e-9 }, { 'M', 1e-6 }, { 'K', 1e-3 },
                                       { ' ', 1 },     { 'm', 1e3 },  { 'u', 1e6 },  { 'n', 1e9 },
                                       { 'p', 1e12 },  { 'f', 1e15 }, { 'a', 1e18 } };
  const size_t nunits = sizeof units / sizeof *units;
  double largest = 0;
  for (uint32_t i = 0; i < r->graph.nsymbols; i++)
    {
      const struct node *n = &r->graph.nodes[i];
      if (n->calls == 0)
        continue;
      double per_call = (n->time + n->child_time) / (double) n->calls;
      if (per_call > largest)
        largest = per_call;
    }
  if (r->options->traditional)
    return units[5];
  if (largest <= 0)
    return units[0];
  size_t i = 0;
  while (i + 1 < nunits && units[i].per_second * largest / r->model.profile.rate < 1)
    i++;
  return units[i];
}

/* Prints everything above the columns.  Returns the number of samples, or 1 if there are none. */
static double
print_title (FILE *out, const struct report *r)
{
  const struct profile *p = &r->model.profile;
  double total = r->graph.samples;
  if (r->options->traditional)
    {
      fprintf (out, "\ngranularity: each sample hit covers %ld byte(s)", (long) p->scale * 2);
      if (total > 0)
        fprintf (out, " for %.2f%% of %.2f %s\n\n", 100.0 / total, total / p->rate, p->dimension);
    }
  else
    fprintf (out, "Flat profile:\n\nEach sample counts as %g %s.\n", 1.0 / p->rate, p->dimension);
  if (total > 0)
    return total;
  fputs (" no time accumulated\n\n", out);
  return 1;
}

static void
print_heading (FILE *out, const struct report *r, char prefix)
{
  const char *dimension = r->model.profile.dimension;
  char unit[16], spaced[32];
  snprintf (spaced, sizeof spaced, "%.9s ", dimension);
  snprintf (unit, sizeof unit, "%c%c/call", prefix, r->model.profile.letter);
  const char *const rows[2][7] = { { "%  ", "cumulative", "self  ", "", "self  ", "total ", "" },
                                   { "time", spaced, dimension, "calls", unit, unit, "name" } };
  for (int i = 0; i < 2; i++)
    fprintf (out, "%5.5s %10.10s %8.8s %8.8s %8.8s %8.8s  %-8.8s\n", rows[i][0], rows[i][1],
             rows[i][2], rows[i][3], rows[i][4], rows[i][5], rows[i][6]);
}

/* Of most columns. */
enum { WIDTH = 8 };

static void
print_line (FILE *out, const struct report *r, const struct node *n, double total, double sum,
            struct unit unit)
{
  double rate = r->model.profile.rate;
  double calls = (double) n->calls;
  bool old = r->options->traditional;
  struct row row;
  row_begin (&row);
  row_fixed (&row, old ? 5 : 6, old ? 1 : 2, 100 * n->time / total);
  row_blanks (&row, 1);
  row_fixed (&row, old ? 10 : 9, 2, sum / rate);
  row_blanks (&row, 1);
  row_fixed (&row, WIDTH, 2, n->time / rate);
  row_blanks (&row, 1);
  if (n->calls != 0)
    {
      row_number (&row, WIDTH, n->calls);
      row_blanks (&row, 1);
      row_print (&row, out);
      row_fixed (&row, WIDTH, 2, unit.per_second * n->time / rate / calls);
      row_blanks (&row, 1);
      row_fixed (&row, WIDTH, 2, unit.per_second * (n->time + n->child_time) / rate / calls);
    }
  else
    row_blanks (&row, WIDTH + 1 + WIDTH + 1 + WIDTH);
  row_blanks (&row, 2);
  row_print (&row, out);
  if (old)
    name_print_node (out, r, n);
  else
    name_print_symbol (out, r, n->symbol);
  fputc ('\n', out);
}

/* The functions of the next lines are anywhere in memory: tells the processor to fetch a node, then
   its symbol, then its name, each when the one before has arrived. */
static void
expect (const struct callgraph *g, const struct rank *sorted, uint32_t i)
{
  enum { NODE = 12, SYMBOL = 8, NAME = 4 };
  if (i + NODE >= g->nsymbols)
    return;
  __builtin_prefetch (&g->nodes[sorted[i + NODE].node]);
  __builtin_prefetch (g->nodes[sorted[i + SYMBOL].node].symbol);
  __builtin_prefetch (g->nodes[sorted[i + NAME].node].symbol->name);
}

static bool
body (FILE *out, struct report *r, struct error *err)
{
  const struct callgraph *g = &r->graph;
  struct rank *sorted = sort_nodes (g);
  if (!sorted)
    return error_no_memory (err);
  double total = print_title (out, r);
  struct unit unit = choose_unit (r);
  print_heading (out, r, unit.prefix);

  double sum = 0;
  for (uint32_t i = 0; i < g->nsymbols; i++)
    {
      const struct node *n = &g->nodes[sorted[i].node];
      expect (g, sorted, i);
      if (!specs_want (r->specs, INCL_FLAT, sorted[i].node)
          || (n->calls == 0 && n->time == 0 && !r->options->unused))
        continue;
      sum += n->time;
      print_line (out, r, n, total, sum, unit);
    }
  free (sorted);
  return true;
}

static void
explain (FILE *out)
{
  fputs ("\n"
         "How to read the flat profile: one line per function, the one with most self time "
         "first.\n"
         "\n"
         "  % time         part of the whole run that was spent in the function itself\n"
         "  cumulative     self time of this function and all above it\n"
         "  self           time in the function itself, without its callees; from samples, so\n"
         "                 inaccurate for a function with few samples\n"
         "  calls          number of calls; empty if calls were not counted (compiled "
         "without -pg)\n"
         "  self /call     average self time of a call\n"
         "  total /call    average time of a call, with callees\n"
         "  name           the function; the call graph shows its time by caller\n",
         out);
}

const struct emitter emit_flat = { .body = body, .explain = explain };
