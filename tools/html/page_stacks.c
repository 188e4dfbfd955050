/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/html/page_data.h"
#include "tools/page/web_numbers.h"
#include "tools/view/json.h"

/* For each node, in preorder: 2 * levels up from the node before to its parent + 1 if samples ended
   in it; what it is (0: unknown code, else 1 + 2 * function + inlined; of a thread, its number in
   the list); these samples, if any. */
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
      web_number (out, 2 * (depth - own) + (c->ticks > 0));
      web_number (out, c->kind == BBX_FRAME_THREAD ? thread++
                       : c->kind == BBX_FRAME_CUT
                           ? 0
                           : 1 + 2 * c->address + (c->kind == FRAMES_INLINED));
      if (c->ticks > 0)
        web_number (out, c->ticks);
      depth = own + 1;
    }
  fputc ('"', out);
}

/* The nodes that were found by the frame pointer, by their places in that order, as differences to
   the one before. */
static void
put_by_pointer (FILE *out, const struct contexts *t)
{
  uint64_t place = 0, before = 0;
  fputs (",\n\"byPointer\":\"", out);
  for (uint32_t i = contexts_next (t, 0); i != 0; i = contexts_next (t, i), place++)
    if (t->nodes[i].by_pointer)
      {
        web_number (out, place - before);
        before = place;
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

/* Numbers the nodes of the model's stacks as put_tree does.  ENTERED: the nodes of T, by node of
   the frames' tree. */
static void
number_nodes (struct page_data *p, const struct contexts *t, const uint32_t *entered)
{
  const struct frames *f = &p->view->frames;
  uint32_t *numbers = calloc (t->count + 1, sizeof *numbers), n = 0;
  free (p->nodes);
  p->nodes = calloc (f->nnodes + 1, sizeof *p->nodes);
  p->ok = p->ok && numbers && p->nodes;
  for (uint32_t i = contexts_next (t, 0); p->ok && i != 0; i = contexts_next (t, i))
    numbers[i] = n++;
  for (size_t i = 0; p->ok && i < f->nnodes; i++)
    p->nodes[i] = f->nodes[i] == UINT32_MAX ? UINT32_MAX : numbers[entered[f->nodes[i]]];
  free (numbers);
}

void
page_stacks (struct page_data *p)
{
  const struct frames *f = &p->view->frames;
  struct contexts tree = { 0 }; /* by function */
  uint32_t *entered = calloc (f->tree.count + 1, sizeof *entered);
  p->ok = p->ok && entered && frames_by_function_of (f, &tree, entered);
  if (p->ok)
    {
      put_threads (p->out, p->view, &tree);
      put_tree (p->out, &tree);
      put_by_pointer (p->out, &tree);
      number_nodes (p, &tree, entered);
    }
  free (entered);
  contexts_free (&tree);
}
