/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>

#include "tools/html/page_data.h"
#include "tools/view/json.h"
#include "tools/view/json_model.h"

static void
put_objects (struct page_data *p)
{
  const struct objects *all = &p->view->model->objects;
  fputs (",\n\"objects\":[", p->out);
  for (size_t i = 0; i < all->count; i++)
    {
      fputs (i > 0 ? ",\n[" : "[", p->out);
      json_string_in_html (p->out, object_name (&all->all[i]));
      fputc (',', p->out);
      json_string_in_html (p->out, all->all[i].path);
      fprintf (p->out, ",\"%s\"]", p->view->build_ids[i]);
    }
  fputc (']', p->out);
}

static void
put_machines (struct page_data *p)
{
  const struct model *m = p->view->model;
  const char *between = "";
  for (size_t i = 0; i < m->nruns; i++)
    for (size_t k = 0; k < m->runs[i].sidecar.nmachines; k++, between = ",")
      {
        const struct bbx_machine *machine = &m->runs[i].sidecar.machines[k];
        fprintf (p->out, "%s[", between);
        json_string_in_html (p->out, machine->system);
        fputc (',', p->out);
        json_string_in_html (p->out, machine->processor);
        fprintf (p->out, ",%" PRIu32 "]", machine->processors);
      }
}

static void
put_run (struct page_data *p)
{
  const struct export_view *v = p->view;
  const struct summary *s = &v->summary;
  fprintf (p->out, ",\n\"tick\":%.3f,\"wall\":%s,\"stacks\":%s,\"counts\":%s", v->tick,
           v->wall ? "true" : "false", v->model->has_stacks ? "true" : "false",
           v->model->profile.nexecutions > 0 ? "true" : "false");
  fprintf (p->out,
           ",\n\"run\":{\"started\":%.3f,\"wall\":%" PRIu64 ",\"cpu\":%" PRIu64
           ",\"processes\":%zu},\n\"profiles\":[",
           (double) s->started / 1e6, s->wall, s->cpu, s->processes);
  for (size_t i = 0; i < v->model->nruns; i++)
    {
      fputs (i > 0 ? "," : "", p->out);
      json_string_in_html (p->out, v->model->runs[i].profile);
    }
  fputs ("],\n\"machines\":[", p->out);
  put_machines (p);
  fputs ("],\n\"samplings\":[", p->out);
  const char *between = "";
  for (size_t i = 0; v->model->has_stacks && i < v->model->nruns; i++)
    for (size_t k = 0; k < v->model->runs[i].sidecar.stacks.nsamplings; k++, between = ",")
      {
        const struct bbx_sampling *sampling = &v->model->runs[i].sidecar.stacks.samplings[k];
        fprintf (p->out, "%s{\"sampler\":", between);
        json_string_in_html (p->out, sampling->sampler);
        fprintf (p->out,
                 ",\"asked\":%" PRIu32 ",\"rate\":%" PRIu32 ",\"samples\":%" PRIu64
                 ",\"ticks\":%" PRIu64 ",\"cut\":%" PRIu64 ",\"wall\":%" PRIu64 ",\"cpu\":%" PRIu64
                 "}",
                 sampling->asked, sampling->rate, sampling->samples, sampling->ticks, sampling->cut,
                 sampling->wall, sampling->cpu);
      }
  fputs ("],\n\"losses\":[", p->out);
  for (size_t i = 0; i < s->nlosses; i++)
    {
      fprintf (p->out, "%s[%" PRIu64 ",", i > 0 ? "," : "", s->losses[i].count);
      json_string_in_html (p->out, s->losses[i].cause);
      fputc (']', p->out);
    }
  fputs ("],\n\"warnings\":[", p->out);
  for (size_t i = 0; i < v->model->warnings.count; i++)
    {
      fputs (i > 0 ? "," : "", p->out);
      json_string_in_html (p->out, v->model->warnings.list[i].text);
    }
  fputc (']', p->out);
}

void
page_run (struct page_data *p)
{
  put_run (p);
  fputs (",\n", p->out);
  json_languages (p->out, p->view->model);
  put_objects (p);
}
