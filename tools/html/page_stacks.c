/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>

#include "tools/html/page_data.h"
#include "tools/page/web_numbers.h"
#include "tools/view/json.h"

/* For each node, in preorder: levels up from the node before to its parent; what it is (0: unknown
   code, else 1 + 2 * function + inlined; of a thread, its number in the list); samples that ended
   in it. */
static void
put_tree (FILE *out, const struct contexts *t)
{
  uint64_t depth = 0, thread = 0;
  fputs (",\n\"tree\":\"", out);
  for (uint32_t i = contexts_next (t, 0); i != 0; i = contexts_next (t, i))
    {
      const struct context *c = &t->nodes[i];
      uint64_t own = 0;
      for (uint32_t up = c->parent; up != 0; up = t->nodes[up].parent)
        own++;
      web_number (out, depth - own);
      web_number (out, c->kind == BBX_FRAME_THREAD ? thread++
                       : c->kind == BBX_FRAME_CUT
                           ? 0
                           : 1 + 2 * c->address + (c->kind == FRAMES_INLINED));
      web_number (out, c->ticks);
      depth = own + 1;
    }
  fputc ('"', out);
}

static void
put_threads (FILE *out, const struct export_view *v, const struct contexts *t)
{
  const char *between = "";
  fputs (",\n\"threads\":[", out);
  for (uint32_t i = t->count > 0 ? t->nodes[0].first : 0; i != 0; i = t->nodes[i].next)
    {
      const struct context *c = &t->nodes[i];
      fprintf (out, "%s{\"name\":", between);
      json_string_in_html (out, export_thread_name (v, c));
      if (c->address != FRAMES_NO_THREAD)
        fprintf (out, ",\"tid\":%" PRIu32, v->model->stacks.threads[c->address].fixed.tid);
      fputc ('}', out);
      between = ",\n";
    }
  fputc (']', out);
}

void
page_stacks (struct page_data *p)
{
  struct contexts tree = { 0 }; /* by function */
  p->ok = p->ok && frames_by_function (&p->view->frames, &tree);
  if (p->ok)
    {
      put_threads (p->out, p->view, &tree);
      put_tree (p->out, &tree);
    }
  contexts_free (&tree);
}
