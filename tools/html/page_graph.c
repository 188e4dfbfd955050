/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph as gprof shows it: times are passed to callers by their calls.  Times are in
   thousandths of a sample. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "tools/html/page_data.h"
#include "tools/page/web_numbers.h"

struct nodes {
  uint32_t *functions; /* of each symbol: its function and 1; 0: none */
  uint32_t *numbers;   /* of each node of the graph: its number in the list and 1; 0: left out */
};

static void
put_samples (FILE *out, double samples)
{
  web_number (out, (uint64_t) llround (1000 * samples));
}

static void
find_functions (const struct frames *f, uint32_t *functions)
{
  for (size_t i = 0; i < f->nplaces; i++)
    functions[f->places[i].symbol]
        = 1 + f->lines[f->places[i].first + f->places[i].nlines - 1].function;
}

/* For each node with calls or time, in the order of gprof: its number there, 1 + function or 0,
   1 + name or 0 for a cycle as a whole, number of its cycle or 0, calls, calls of itself, self
   time, time of its callees. */
static void
put_nodes (struct page_data *p, struct nodes *nodes)
{
  const struct callgraph *g = &p->view->graph;
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->nnodes; i++)
    {
      const struct node *n = &g->nodes[g->order[i]];
      if (n->calls == 0 && n->self_calls == 0 && n->self <= 0 && n->child <= 0)
        continue;
      uint32_t function = node_is_cycle (n) ? 0 : nodes->functions[g->order[i]];
      nodes->numbers[g->order[i]] = ++count;
      web_number (p->out, n->index);
      web_number (p->out, function);
      web_number (p->out, function            ? 1 + page_text (p, p->view->names[function - 1])
                          : node_is_cycle (n) ? 0
                                              : 1 + page_text (p, n->symbol->name));
      web_number (p->out, n->cycle);
      web_number (p->out, n->calls);
      web_number (p->out, n->self_calls);
      put_samples (p->out, n->self);
      put_samples (p->out, n->child);
    }
}

/* For each arc: caller and callee in the list of nodes, calls, and the callee's self time and time
   of callees that are due to the caller. */
static void
put_arcs (struct page_data *p, const struct nodes *nodes)
{
  const struct callgraph *g = &p->view->graph;
  for (uint32_t i = 0; i < g->narcs; i++)
    {
      const struct arc *a = &g->arcs[i];
      uint32_t parent = nodes->numbers[a->parent], child = nodes->numbers[a->child];
      if (a->count == 0 || parent == 0 || child == 0)
        continue;
      web_number (p->out, parent - 1);
      web_number (p->out, child - 1);
      web_number (p->out, a->count);
      put_samples (p->out, a->time);
      put_samples (p->out, a->child_time);
    }
}

void
page_graph (struct page_data *p)
{
  const struct callgraph *g = &p->view->graph;
  struct nodes nodes = { .functions = calloc (g->nsymbols + 1, sizeof *nodes.functions),
                         .numbers = calloc (g->nnodes + 1, sizeof *nodes.numbers) };
  p->ok = p->ok && nodes.functions && nodes.numbers;
  if (p->ok)
    {
      find_functions (&p->view->frames, nodes.functions);
      fprintf (p->out, ",\n\"gprof\":{\"estimated\":%s,\"samples\":%.3f,\"tick\":%.3f,\"nodes\":\"",
               p->view->model->estimated ? "true" : "false", g->shown_samples,
               p->view->model->profile.rate > 0 ? 1e9 / p->view->model->profile.rate : 0);
      put_nodes (p, &nodes);
      fputs ("\",\"arcs\":\"", p->out);
      put_arcs (p, &nodes);
      fputs ("\"}", p->out);
    }
  free (nodes.functions);
  free (nodes.numbers);
}
