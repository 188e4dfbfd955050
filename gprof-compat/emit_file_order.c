/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -R: an order of the object files for the linker, by the calls between their functions. */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "gprof-compat/emit.h"
#include "gprof-compat/name.h"
#include "gprof-compat/placement.h"

/* Only arcs between functions of known files count. */
static bool
place (struct placement *p, const struct callgraph *g)
{
  struct placement_list arcs = { .arcs = malloc (((size_t) g->narcs + 1) * sizeof *arcs.arcs) };
  if (!arcs.arcs)
    return false;
  callgraph_by_date (g, arcs.arcs);
  for (uint32_t i = 0; i < g->narcs; i++)
    {
      uint32_t arc = arcs.arcs[i];
      const struct arc *a = &g->arcs[arc];
      bool known = g->nodes[a->parent].symbol->is_mapped && g->nodes[a->child].symbol->is_mapped;
      p->arcs[arc] = (struct placement_arc) { a->parent, a->child, a->count, !known };
      if (a->parent != a->child)
        arcs.arcs[arcs.count++] = arc;
    }
  placement_chain (p, &arcs, false, NULL);
  for (uint32_t i = 0; i < g->nsymbols; i++)
    if (g->nodes[i].symbol->is_mapped)
      placement_put (p, i);
  free (arcs.arcs);
  return true;
}

static int
compare_names (const void *a, const void *b, void *context)
{
  (void) context;
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Prints the files of the map that have no function in the program. */
static bool
print_others (FILE *out, const struct report *r, const struct placement *p)
{
  const struct order_map *map = &r->order_map;
  size_t n = 0, next = 0;
  const char **placed = malloc ((p->nordered + 1) * sizeof *placed);
  const char **files = malloc ((map->count + 1) * sizeof *files);
  bool ok = placed && files;
  for (size_t i = 0; ok && i < p->nordered; i++)
    if (r->graph.nodes[p->order[i]].symbol->is_mapped)
      placed[n++] = r->graph.nodes[p->order[i]].symbol->name;
  for (size_t i = 0; ok && i < map->count; i++)
    files[i] = map->entries[i].file;
  ok = ok && array_sort (placed, n, sizeof *placed, compare_names, NULL)
       && array_sort (files, map->count, sizeof *files, compare_names, NULL);
  for (size_t i = 0; ok && i < map->count; i++)
    {
      while (next < n && strcmp (placed[next], files[i]) < 0)
        next++;
      if ((next == n || strcmp (placed[next], files[i]) != 0)
          && (i == 0 || strcmp (files[i - 1], files[i]) != 0))
        fprintf (out, "%s\n", name_shown (r, files[i]));
    }
  free (placed);
  free (files);
  return ok;
}

static bool
body (FILE *out, struct report *r, struct error *err)
{
  const struct callgraph *g = &r->graph;
  struct placement p;
  bool ok = placement_make (&p, g->nsymbols, g->narcs) && place (&p, g);
  for (size_t i = 0; ok && i < p.nordered; i++)
    fprintf (out, "%s\n", name_shown (r, g->nodes[p.order[i]].symbol->name));
  ok = ok && print_others (out, r, &p);
  placement_free (&p);
  return ok || error_no_memory (err);
}

const struct emitter emit_file_order = { .body = body, .unbroken = true };
