/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "tools/html/page_data.h"
#include "tools/timeline/timeline_data.h"
#include "tools/view/json.h"

/* Is a thread of that number in the page?  Where threads are chosen, all others are left out, and
   those without samples. */
static bool
is_in_page (const struct page_data *p, uint32_t number)
{
  const struct bbx_stacks *x = &p->view->model->runs[0].sidecar.stacks;
  bool found = false, chosen = false;
  for (size_t i = 0; i < x->nnodes; i++)
    {
      bool in = p->nodes[i] != UINT32_MAX;
      chosen |= !in;
      found |= in && x->nodes[i].kind == BBX_FRAME_THREAD && x->nodes[i].address == number;
    }
  return found || !chosen;
}

/* The timeline as the page of `bbprof timeline' has it; stacks are nodes of the tree. */
static void
put_timeline (struct page_data *p, const struct timeline *t)
{
  const struct timeline_nodes nodes = { .numbers = p->nodes, .n = p->view->frames.nnodes };
  uint32_t *rows = calloc (t->nthreads + 1, sizeof *rows);
  struct timeline_view view = { .timeline = t, .from = t->start, .to = t->end, .threads = rows };
  for (uint32_t i = 0; rows && p->ok && i < t->nthreads; i++)
    if (is_in_page (p, t->threads[i].number))
      rows[view.nthreads++] = i;
  fputs (",\n\"timeline\":", p->out);
  p->ok = p->ok && rows && timeline_put_data (p->out, &view, &nodes);
  free (rows);
}

/* TEXT: why there is no timeline. */
static void
put_reason (struct page_data *p, const char *text)
{
  fputs (",\n\"noTimeline\":", p->out);
  json_string_in_html (p->out, text);
}

void
page_timeline (struct page_data *p)
{
  const struct model *m = p->view->model;
  struct timeline t = { 0 };
  struct error why;
  if (m->nruns != 1)
    put_reason (p, "the page is of several profiles: their times have no sum");
  else if (!m->has_stacks)
    put_reason (p, "the profile has no stacks of samples");
  else if (!timeline_open_model (&t, m->runs[0].profile, m, p->view->program, "bbprof html", &why))
    put_reason (p, why.text);
  else if (t.nthreads == 0 || t.start >= t.end)
    put_reason (p, "no thread was watched");
  else
    put_timeline (p, &t);
  timeline_close (&t);
}
