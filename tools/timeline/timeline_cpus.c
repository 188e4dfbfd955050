/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of processors: a cell has the letter of the thread that ran there longest. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tools/timeline/timeline_page.h"
#include "tools/timeline/timeline_strip.h"

enum { NO_THREAD = -1 };

/* The cells of all processors, one processor after the other. */
struct grid {
  size_t cells;
  unsigned cpus;
  uint64_t *ran;  /* time of the current thread */
  uint64_t *most; /* time of the thread that ran longest so far */
  int *thread;    /* its row; NO_THREAD: none */
};

static void
take (void *context, size_t cell, const struct timeline_interval *interval, uint64_t length)
{
  struct grid *g = context;
  if (interval->state == TIMELINE_RUNNING && interval->cpu < g->cpus)
    g->ran[interval->cpu * g->cells + cell] += length;
}

static void
add_thread (struct grid *g, const struct timeline_page *p, const struct timeline_thread *thread,
            int number)
{
  const size_t n = g->cpus * g->cells;
  memset (g->ran, 0, n * sizeof *g->ran);
  timeline_cells_walk (&p->scale, thread, take, g);
  for (size_t i = 0; i < n; i++)
    if (g->ran[i] > g->most[i])
      {
        g->most[i] = g->ran[i];
        g->thread[i] = number;
      }
}

static void
print_row (FILE *out, const struct timeline_page *p, const struct grid *g, unsigned cpu)
{
  char label[24];
  const struct style *style = &p->view->style;
  snprintf (label, sizeof label, "cpu %u", cpu);
  timeline_page_label (out, p, label);
  for (size_t i = cpu * g->cells; i < (cpu + 1) * g->cells; i++)
    if (g->thread[i] == NO_THREAD)
      fputs (p->view->ascii ? "." : "·", out);
    else
      timeline_strip_print_key (out, style, (size_t) g->thread[i]);
  timeline_page_end (out, p);
}

bool
timeline_page_cpus (FILE *out, const struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  struct grid g = { .cells = p->scale.cells, .cpus = v->timeline->cpus };
  const size_t n = g.cells * g.cpus + 1;
  g.ran = malloc (n * sizeof *g.ran);
  g.most = calloc (n, sizeof *g.most);
  g.thread = malloc (n * sizeof *g.thread);
  bool ok = g.ran && g.most && g.thread;
  for (size_t i = 0; ok && i < n; i++)
    g.thread[i] = NO_THREAD;
  /* Threads without a row have no letter. */
  for (size_t i = 0, row = 0; ok && i < v->nthreads; i++)
    add_thread (&g, p, &v->timeline->threads[v->threads[i]], p->shown[i] ? (int) row++ : INT32_MAX);
  for (unsigned cpu = 0; ok && cpu < g.cpus; cpu++)
    print_row (out, p, &g, cpu);
  free (g.ran);
  free (g.most);
  free (g.thread);
  return ok;
}
