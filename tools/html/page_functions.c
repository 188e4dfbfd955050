/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "tools/html/page_data.h"
#include "tools/page/web_numbers.h"

struct counts {
  uint64_t calls, executions; /* exact; executions are those of its blocks */
};

/* Exact counts of the functions; inlined ones have none of their own. */
static void
count (const struct export_view *v, struct counts *counts)
{
  const struct profile *profile = &v->model->profile;
  for (size_t i = 0; i < profile->ncalls && !v->model->estimated; i++)
    {
      const struct frames_place *to = frames_at (&v->frames, profile->calls[i].self);
      if (to)
        counts[v->frames.lines[to->first + to->nlines - 1].function].calls
            += profile->calls[i].count;
    }
  for (size_t i = 0; i < profile->nexecutions; i++)
    {
      const struct frames_place *at = frames_at (&v->frames, profile->executions[i].address);
      if (at)
        counts[v->frames.lines[at->first + at->nlines - 1].function].executions
            += profile->executions[i].count;
    }
}

/* For each function: name, 1 + file or 0, line, object, calls, executions. */
static void
put (struct page_data *p, const struct counts *counts)
{
  const struct frames *f = &p->view->frames;
  fputs (",\n\"functions\":\"", p->out);
  for (size_t i = 0; i < f->nfunctions; i++)
    {
      const struct frames_function *function = &f->functions[i];
      web_number (p->out, page_text (p, p->view->names[i]));
      web_number (p->out, function->file ? 1 + page_text (p, function->file) : 0);
      web_number (p->out, function->line);
      web_number (p->out, (uint64_t) (function->object - p->view->model->objects.all));
      web_number (p->out, counts[i].calls);
      web_number (p->out, counts[i].executions);
    }
  fputc ('"', p->out);
}

void
page_functions (struct page_data *p)
{
  struct counts *counts = calloc (p->view->frames.nfunctions + 1, sizeof *counts);
  p->ok = p->ok && counts;
  if (counts)
    {
      count (p->view, counts);
      put (p, counts);
    }
  free (counts);
}
