/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks, as flamegraph.pl, speedscope and Pyroscope read them: on each line a stack, its
   outermost frame first, with `;' between frames, a blank, and the number of samples.  The thread's
   name is the outermost frame if there are several threads. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/export/export_emit.h"

/* The text of the stack of the node that was visited last. */
struct path {
  char *text;
  size_t room;
  size_t *ends; /* of each node of the tree: the length of its stack's text */
};

/* Adds NAME without the characters that have a meaning in the format, at LENGTH. */
static bool
add_name (struct path *p, size_t *length, const char *name)
{
  const size_t most = *length + strlen (name) + 1;
  while (p->room < most)
    if (!array_grow (&p->text, p->room, &p->room, 1))
      return false;
  if (*length > 0)
    p->text[(*length)++] = ';';
  for (; *name; name++)
    p->text[(*length)++] = *name == ';' ? ':' : (unsigned char) *name < ' ' ? ' ' : *name;
  return true;
}

/* Visits NODE behind its parent. */
static bool
enter (struct path *p, const struct export_view *v, const struct contexts *tree, uint32_t node,
       bool threads)
{
  const struct context *c = &tree->nodes[node];
  p->ends[node] = p->ends[c->parent];
  return (c->kind == BBX_FRAME_THREAD && !threads)
         || add_name (p, &p->ends[node], export_frame_name (v, c));
}

bool
export_folded (FILE *out, const struct export_view *v, struct error *err)
{
  struct contexts tree;
  struct path path = { 0 };
  bool ok = frames_by_function (&v->frames, &tree)
            && (path.ends = calloc (tree.count + 1, sizeof *path.ends));
  bool threads = ok && tree.count > 0 && tree.nodes[tree.nodes[0].first].next != 0;
  for (uint32_t node = ok ? contexts_next (&tree, 0) : 0; node != 0;
       node = contexts_next (&tree, node))
    {
      if (!(ok = enter (&path, v, &tree, node, threads)))
        break;
      const size_t length = path.ends[node];
      if (tree.nodes[node].ticks == 0)
        continue;
      fwrite (path.text, 1, length, out);
      fprintf (out, "%s %" PRIu64 "\n", length == 0 ? "[unknown]" : "", tree.nodes[node].ticks);
    }
  free (path.text);
  free (path.ends);
  contexts_free (&tree);
  return ok ? error_if_unwritten (out, err) : error_no_memory (err);
}
