/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
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
  const struct callgraph *g = &r->graph;
  size_t size;
  *l = (struct labels) { .of = array_new ((size_t) g->nsymbols + 1, sizeof *l->of) };
  FILE *f = l->of ? open_memstream (&l->text, &size) : NULL;
  if (!f)
    return false;
  for (uint32_t i = 0; i < g->nsymbols; i++)
    {
      size_t start = (size_t) ftello (f);
      if (is_used (r, i))
        name_print_node (f, r, &g->nodes[i]);
      l->of[i] = (struct label) { .size = (size_t) ftello (f) - start,
                                  .calls = g->nodes[g->nodes[i].head].calls };
    }
  bool ok = !ferror (f);
  if (fclose (f) != 0 || !ok)
    return false;
  const char *text = l->text;
  for (uint32_t i = 0; i < g->nsymbols; text += l->of[i++].size)
    l->of[i].text = text;
  return true;
}

void
labels_free (struct labels *l)
{
  free (l->text);
  free (l->of);
}
