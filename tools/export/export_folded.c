/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks, as flamegraph.pl, speedscope and Pyroscope read them: on each line a stack, its
   outermost frame first, with `;' between frames, a blank, and the number of samples.  The thread's
   name is the outermost frame if there are several threads. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/export/export_emit.h"

/* NAME without the characters that have a meaning in the format. */
static void
put_name (FILE *out, const char *name)
{
  for (; *name; name++)
    putc (*name == ';' ? ':' : (unsigned char) *name < ' ' ? ' ' : *name, out);
}

static void
put_stack (FILE *out, const struct export_view *v, const struct contexts *tree,
           const uint32_t *stack, size_t n)
{
  const char *between = "";
  for (; n-- > 0; between = ";")
    {
      fputs (between, out);
      put_name (out, export_frame_name (v, &tree->nodes[stack[n]]));
    }
}

/* The number of frames of NODE's stack, from the innermost on; STACK has room for all. */
static size_t
find_stack (const struct contexts *tree, uint32_t node, bool threads, uint32_t *stack)
{
  size_t n = 0;
  for (; node != 0; node = tree->nodes[node].parent)
    if (threads || tree->nodes[node].kind != BBX_FRAME_THREAD)
      stack[n++] = node;
  return n;
}

bool
export_folded (FILE *out, const struct export_view *v, struct error *err)
{
  struct contexts tree;
  uint32_t *stack = NULL;
  bool ok = frames_by_function (&v->frames, &tree)
            && (stack = malloc ((tree.count + 1) * sizeof *stack));
  bool threads = ok && tree.count > 0 && tree.nodes[tree.nodes[0].first].next != 0;
  for (uint32_t node = ok ? contexts_next (&tree, 0) : 0; node != 0;
       node = contexts_next (&tree, node))
    if (tree.nodes[node].ticks > 0)
      {
        size_t n = find_stack (&tree, node, threads, stack);
        put_stack (out, v, &tree, stack, n);
        fprintf (out, "%s %" PRIu64 "\n", n == 0 ? "[unknown]" : "", tree.nodes[node].ticks);
      }
  free (stack);
  contexts_free (&tree);
  return ok ? error_if_unwritten (out, err) : error_no_memory (err);
}
