/* SPDX-License-Identifier: GPL-3.0-or-later */
/* speedscope's JSON (its file-format-schema.json): frames by function, and for each thread a
   profile whose samples are stacks, the outermost frame first, with their weights. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/export/export_emit.h"
#include "tools/view/json.h"

struct speedscope {
  FILE *out;
  const struct export_view *view;
  struct contexts tree;
  uint32_t *frames; /* of the tree's nodes from the root to the current one: their functions */
  size_t unknown;   /* the frame of unknown code: behind the functions */
};

static void
put_frames (const struct speedscope *s)
{
  const struct frames *f = &s->view->frames;
  fputs ("{\"frames\":[", s->out);
  for (size_t i = 0; i < f->nfunctions; i++)
    {
      fputs ("\n{\"name\":", s->out);
      json_string (s->out, s->view->names[i]);
      if (f->functions[i].file)
        {
          fputs (",\"file\":", s->out);
          json_string (s->out, f->functions[i].file);
        }
      if (f->functions[i].line > 0)
        fprintf (s->out, ",\"line\":%u", f->functions[i].line);
      fputs ("},", s->out);
    }
  fputs ("\n{\"name\":\"[unknown]\"}]}", s->out);
}

/* The functions of NODE's stack, the outermost first. */
static void
put_stack (struct speedscope *s, uint32_t node)
{
  size_t n = 0;
  for (; node != 0 && s->tree.nodes[node].kind != BBX_FRAME_THREAD;
       node = s->tree.nodes[node].parent)
    s->frames[n++] = node;
  putc ('[', s->out);
  while (n-- > 0)
    {
      const struct context *c = &s->tree.nodes[s->frames[n]];
      json_number (s->out, c->kind == BBX_FRAME_CUT ? s->unknown : c->address);
      fputs (n > 0 ? "," : "", s->out);
    }
  putc (']', s->out);
}

static double
weight (const struct speedscope *s, uint64_t ticks)
{
  return (double) ticks * (s->view->tick > 0 ? s->view->tick : 1);
}

static void
put_thread (struct speedscope *s, uint32_t root)
{
  const struct contexts *t = &s->tree;
  uint64_t ticks = 0;
  const char *between = "";
  fputs ("{\"type\":\"sampled\",\"name\":", s->out);
  json_string (s->out, export_thread_name (s->view, &t->nodes[root]));
  fprintf (s->out, ",\"unit\":\"%s\",\"samples\":[", s->view->tick > 0 ? "nanoseconds" : "none");
  for (uint32_t i = root; i != 0; i = contexts_next_below (t, root, i))
    if (t->nodes[i].ticks > 0)
      {
        fputs (between, s->out);
        put_stack (s, i);
        between = ",\n";
      }
  fputs ("],\n\"weights\":[", s->out);
  between = "";
  for (uint32_t i = root; i != 0; i = contexts_next_below (t, root, i))
    if (t->nodes[i].ticks > 0)
      {
        fprintf (s->out, "%s%.0f", between, weight (s, t->nodes[i].ticks));
        ticks += t->nodes[i].ticks;
        between = ",";
      }
  fprintf (s->out, "],\"startValue\":0,\"endValue\":%.0f}", weight (s, ticks));
}

static void
put_page (struct speedscope *s)
{
  fputs ("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
         "\"exporter\":\"" PACKAGE_STRING "\",\"name\":",
         s->out);
  json_string (s->out, s->view->program);
  fputs (",\"activeProfileIndex\":0,\n\"shared\":", s->out);
  put_frames (s);
  fputs (",\n\"profiles\":[", s->out);
  uint32_t root = s->tree.count > 0 ? s->tree.nodes[0].first : 0;
  for (const char *between = "\n"; root != 0; root = s->tree.nodes[root].next, between = ",\n")
    {
      fputs (between, s->out);
      put_thread (s, root);
    }
  fputs ("]}\n", s->out);
}

bool
export_speedscope (FILE *out, const struct export_view *v, struct error *err)
{
  struct speedscope s = { .out = out, .view = v, .unknown = v->frames.nfunctions };
  bool ok = frames_by_function (&v->frames, &s.tree)
            && (s.frames = malloc ((s.tree.count + 1) * sizeof *s.frames));
  if (ok)
    put_page (&s);
  free (s.frames);
  contexts_free (&s.tree);
  return ok ? error_if_unwritten (out, err) : error_no_memory (err);
}
