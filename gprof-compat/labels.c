/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "gprof-compat/labels.h"
#include "gprof-compat/name.h"

static bool
is_used (const struct report *r, uint32_t node)
{
  const struct callgraph *g = &r->graph;
  const struct node *n = &g->nodes[node];
  return r->options->unused || n->calls != 0 || n->self_calls != 0 || n->time != 0 || n->child != 0
         || g->first_child[node] != g->first_child[node + 1]
         || g->first_parent[node] != g->first_parent[node + 1];
}

bool
labels_make (struct labels *l, const struct report *r)
{
  uint32_t n = r->graph.nsymbols;
  size_t size;
  *l = (struct labels) { .start = malloc (((size_t) n + 1) * sizeof *l->start) };
  FILE *f = l->start ? open_memstream (&l->text, &size) : NULL;
  if (!f)
    return false;
  for (uint32_t i = 0; i < n; i++)
    {
      l->start[i] = (size_t) ftello (f);
      if (is_used (r, i))
        name_print_node (f, r, &r->graph.nodes[i]);
    }
  l->start[n] = (size_t) ftello (f);
  bool ok = !ferror (f);
  return fclose (f) == 0 && ok;
}

void
labels_free (struct labels *l)
{
  free (l->text);
  free (l->start);
}
