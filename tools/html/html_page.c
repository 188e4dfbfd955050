/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page for a browser: page/ shows the JSON that is written here, and page/data.js reads it:
   both have to agree.  Lists of numbers are strings (web_numbers.h). */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/html/html_page.h"
#include "tools/view/json.h"
#include "tools/page/web_names.h"
#include "tools/page/web_numbers.h"
#include "tools/view/xml.h"

struct page {
  FILE *out;
  const struct export_view *view;
  struct contexts tree;   /* by function */
  struct web_names texts; /* names of functions, and of files */
  uint64_t *calls;        /* of each function */
  uint64_t *executions;   /* of its blocks */
  bool ok;                /* false: out of memory */
};

static void
put_member (FILE *out, const char *name, const char *text)
{
  fprintf (out, ",\n\"%s\":", name);
  json_string_in_html (out, text);
}

static uint64_t
text (struct page *p, const char *text)
{
  size_t number = 0;
  p->ok = p->ok && web_names_number (&p->texts, text, &number);
  return number;
}

/* Exact counts of the functions; inlined ones have none of their own. */
static void
count (struct page *p)
{
  const struct export_view *v = p->view;
  const struct profile *profile = &v->model->profile;
  for (size_t i = 0; i < profile->ncalls && !v->model->estimated; i++)
    {
      const struct frames_place *to = frames_at (&v->frames, profile->calls[i].self);
      if (to)
        p->calls[v->frames.lines[to->first + to->nlines - 1].function] += profile->calls[i].count;
    }
  for (size_t i = 0; i < profile->nexecutions; i++)
    {
      const struct frames_place *at = frames_at (&v->frames, profile->executions[i].address);
      if (at)
        p->executions[v->frames.lines[at->first + at->nlines - 1].function]
            += profile->executions[i].count;
    }
}

/* For each function: name, 1 + file or 0, line, object, calls, executions. */
static void
put_functions (struct page *p)
{
  const struct frames *f = &p->view->frames;
  fputs (",\n\"functions\":\"", p->out);
  for (size_t i = 0; i < f->nfunctions; i++)
    {
      const struct frames_function *function = &f->functions[i];
      web_number (p->out, text (p, p->view->names[i]));
      web_number (p->out, function->file ? 1 + text (p, function->file) : 0);
      web_number (p->out, function->line);
      web_number (p->out, (uint64_t) (function->object - p->view->model->objects.all));
      web_number (p->out, p->calls[i]);
      web_number (p->out, p->executions[i]);
    }
  fputc ('"', p->out);
}

/* For each node, in preorder: levels up from the node before to its parent; what it is (0: unknown
   code, else 1 + 2 * function + inlined; of a thread, its number in the list); samples that ended
   in it. */
static void
put_tree (struct page *p)
{
  const struct contexts *t = &p->tree;
  uint64_t depth = 0, thread = 0;
  fputs (",\n\"tree\":\"", p->out);
  for (uint32_t i = contexts_next (t, 0); i != 0; i = contexts_next (t, i))
    {
      const struct context *c = &t->nodes[i];
      uint64_t own = 0;
      for (uint32_t up = c->parent; up != 0; up = t->nodes[up].parent)
        own++;
      web_number (p->out, depth - own);
      web_number (p->out, c->kind == BBX_FRAME_THREAD ? thread++
                          : c->kind == BBX_FRAME_CUT
                              ? 0
                              : 1 + 2 * c->address + (c->kind == FRAMES_INLINED));
      web_number (p->out, c->ticks);
      depth = own + 1;
    }
  fputc ('"', p->out);
}

static void
put_threads (struct page *p)
{
  const struct contexts *t = &p->tree;
  const char *between = "";
  fputs (",\n\"threads\":[", p->out);
  for (uint32_t i = t->count > 0 ? t->nodes[0].first : 0; i != 0; i = t->nodes[i].next)
    {
      const struct context *c = &t->nodes[i];
      fprintf (p->out, "%s{\"name\":", between);
      json_string_in_html (p->out, export_thread_name (p->view, c));
      if (c->address != FRAMES_NO_THREAD)
        fprintf (p->out, ",\"tid\":%" PRIu32, p->view->model->stacks.threads[c->address].fixed.tid);
      fputc ('}', p->out);
      between = ",\n";
    }
  fputc (']', p->out);
}

static void
put_objects (struct page *p)
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
put_run (struct page *p)
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

static void
put_data (struct page *p)
{
  fputs ("{\"program\":", p->out);
  json_string_in_html (p->out, p->view->program);
  put_member (p->out, "made", PACKAGE_STRING);
  put_run (p);
  put_objects (p);
  put_threads (p);
  put_functions (p);
  put_tree (p);
  fputs (",\n\"texts\":", p->out);
  web_names_print (p->out, &p->texts);
  fputs ("}\n", p->out);
}

/* The page may load nothing. */
static void
put_page (struct page *p)
{
  fputs ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
         "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n<link rel=\"icon\" "
         "href=\"data:,\">\n<title>",
         p->out);
  xml_text (p->out, object_name (&p->view->model->objects.all[0]));
  fprintf (p->out, " - profile</title>\n<style>\n%s</style>\n</head>\n<body>\n%s", html_page_css,
           html_page_html);
  fputs ("<script type=\"application/json\" id=\"data\">\n", p->out);
  put_data (p);
  fprintf (p->out, "</script>\n<script>\n%s</script>\n</body>\n</html>\n", html_page_js);
}

bool
html_page (FILE *out, const struct export_view *v, struct error *err)
{
  struct page p = { .out = out,
                    .view = v,
                    .calls = calloc (v->frames.nfunctions + 1, sizeof *p.calls),
                    .executions = calloc (v->frames.nfunctions + 1, sizeof *p.executions) };
  p.ok = p.calls && p.executions && frames_by_function (&v->frames, &p.tree);
  if (p.ok)
    {
      count (&p);
      put_page (&p);
    }
  free (p.calls);
  free (p.executions);
  contexts_free (&p.tree);
  web_names_free (&p.texts);
  return p.ok ? error_if_unwritten (out, err) : error_no_memory (err);
}
