/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All of the model as JSON (doc/reference/json/profile.schema.json).  Things that others refer to
   are numbered by their position in their list.  The format is stable: members are added; none is
   changed or removed without a new version number. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "model/open_counts.h"
#include "tools/export/export_emit.h"
#include "tools/view/json.h"
#include "tools/view/json_model.h"

enum { FORMAT_VERSION = 1 };

/* Begins the list NAME. */
static void
begin (FILE *out, const char *name)
{
  fprintf (out, ",\n  \"%s\": [", name);
}

/* Begins an item of a list; I: its number. */
static void
item (FILE *out, size_t i)
{
  fputs (i > 0 ? ",\n    {" : "\n    {", out);
}

static void
end (FILE *out)
{
  fputs ("]", out);
}

static void
put_index (FILE *out, const char *name, size_t index, bool known)
{
  if (known)
    fprintf (out, "\"%s\": %zu", name, index);
  else
    fprintf (out, "\"%s\": null", name);
}

static void
put_count (FILE *out, uint64_t count, struct open_count open)
{
  fprintf (out, "\"count\": %" PRIu64 ", \"count_more\": %" PRIu64 ", \"count_fewer\": %" PRIu64,
           count, open.more, open.fewer);
}

static void
put_machines (FILE *out, const struct model *m)
{
  size_t n = 0;
  begin (out, "machines");
  for (size_t i = 0; i < m->nruns; i++)
    for (size_t k = 0; k < m->runs[i].sidecar.nmachines; k++)
      {
        const struct bbx_machine *machine = &m->runs[i].sidecar.machines[k];
        item (out, n++);
        fputs ("\"system\": ", out);
        json_string (out, machine->system);
        fputs (", \"processor\": ", out);
        json_string (out, machine->processor);
        fprintf (out, ", \"processors\": %" PRIu32 ", \"processes\": %" PRIu32 "}",
                 machine->processors, machine->processes);
      }
  end (out);
}

static void
put_run (FILE *out, const struct export_view *v)
{
  const struct summary *s = &v->summary;
  fputs (",\n  \"clock\": ", out);
  json_string (out, v->tick <= 0 ? NULL : v->wall ? "wall" : "cpu");
  if (v->tick > 0)
    fprintf (out, ",\n  \"sample_nanoseconds\": %.3f", v->tick);
  else
    fputs (",\n  \"sample_nanoseconds\": null", out);
  fprintf (out,
           ",\n  \"samples\": %" PRIu64 ",\n  \"started_nanoseconds\": %" PRIu64
           ",\n  \"wall_nanoseconds\": %" PRIu64 ",\n  \"cpu_nanoseconds\": %" PRIu64,
           v->frames.ticks, s->started, s->wall, s->cpu);
  put_machines (out, v->model);
  begin (out, "losses");
  for (size_t i = 0; i < s->nlosses; i++)
    {
      item (out, i);
      fprintf (out, "\"count\": %" PRIu64 ", \"cause\": ", s->losses[i].count);
      json_string (out, s->losses[i].cause);
      fputs ("}", out);
    }
  end (out);
}

static void
put_languages (FILE *out, const struct export_view *v)
{
  fputs (",\n  ", out);
  json_languages (out, v->model);
}

static void
put_objects (FILE *out, const struct export_view *v)
{
  const struct objects *all = &v->model->objects;
  begin (out, "objects");
  for (size_t i = 0; i < all->count; i++)
    {
      const struct object *o = &all->all[i];
      item (out, i);
      fputs ("\"path\": ", out);
      json_string (out, o->path);
      fputs (", \"build_id\": ", out);
      json_string (out, *v->build_ids[i] ? v->build_ids[i] : NULL);
      fprintf (out,
               ", \"base\": \"0x%" PRIx64 "\", \"start\": \"0x%" PRIx64 "\", \"end\": \"0x%" PRIx64
               "\"}",
               o->base, o->base + o->start, o->base + o->end);
    }
  end (out);
}

static void
put_threads (FILE *out, const struct export_view *v)
{
  const struct stacks *s = &v->model->stacks;
  begin (out, "threads");
  for (size_t i = 0; v->model->has_stacks && i < s->nthreads; i++)
    {
      const struct bbx_thread *t = &s->threads[i].fixed;
      item (out, i);
      fputs ("\"name\": ", out);
      json_string (out, t->name);
      fprintf (out, ", \"number\": %" PRIu32 ", \"tid\": %" PRIu32 ", \"profile\": %zu", t->number,
               t->tid, s->threads[i].run);
      fprintf (out,
               ", \"begun_nanoseconds\": %" PRIu64 ", \"ended_nanoseconds\": %" PRIu64
               ", \"cpu_nanoseconds\": %" PRIu64 "}",
               t->begun, t->ended, t->cpu);
    }
  end (out);
}

/* The language of a function that an interpreter executed; else null. */
static void
put_language (FILE *out, const struct export_view *v, const struct frames_function *f)
{
  const struct object *o = f->object;
  const char *name = languages_at (&v->model->stacks.languages, o->base + o->start);
  char plain[sizeof ((struct bbx_language *) NULL)->name] = "";
  if (name)
    snprintf (plain, sizeof plain, "%.*s", (int) strlen (name) - 2, name + 1);
  fputs (", \"language\": ", out);
  json_string (out, name ? plain : NULL);
}

static void
put_functions (FILE *out, const struct export_view *v)
{
  const struct frames *f = &v->frames;
  begin (out, "functions");
  for (size_t i = 0; i < f->nfunctions; i++)
    {
      const struct frames_function *function = &f->functions[i];
      item (out, i);
      fputs ("\"name\": ", out);
      json_string (out, v->names[i]);
      fputs (", \"symbol\": ", out);
      json_string (out, function->symbol);
      fprintf (out, ", \"object\": %td, \"file\": ", function->object - v->model->objects.all);
      json_string (out, function->file);
      fputs (", ", out);
      put_index (out, "line", function->line, function->line > 0);
      put_language (out, v, function);
      fputs ("}", out);
    }
  end (out);
}

/* Each with its lines, the innermost function first. */
static void
put_places (FILE *out, const struct export_view *v)
{
  const struct frames *f = &v->frames;
  begin (out, "places");
  for (size_t i = 0; i < f->nplaces; i++)
    {
      const struct frames_place *p = &f->places[i];
      item (out, i);
      fprintf (out, "\"address\": \"0x%" PRIx64 "\", \"lines\": [", p->address);
      for (uint32_t k = 0; k < p->nlines; k++)
        {
          const struct frames_line *line = &f->lines[p->first + k];
          fprintf (out, "%s{\"function\": %" PRIu32 ", ", k > 0 ? ", " : "", line->function);
          put_index (out, "line", line->line, line->line > 0);
          fputs ("}", out);
        }
      fputs ("]}", out);
    }
  end (out);
}

/* Of the frames of a stack, the innermost is 0, those that were found by the frame pointer; nothing
   if there are none. */
static void
put_by_pointer (FILE *out, const struct contexts *t, uint32_t node)
{
  const char *before = "\"by_frame_pointer\": [";
  unsigned frame = 0;
  for (; t->nodes[node].kind != BBX_FRAME_THREAD; node = t->nodes[node].parent, frame++)
    if (t->nodes[node].by_pointer)
      {
        fprintf (out, "%s%u", before, frame);
        before = ", ";
      }
  if (*before == ',')
    fputs ("], ", out);
}

/* Places, the innermost first; null: unknown code. */
static void
put_stack (FILE *out, const struct export_view *v, uint32_t node)
{
  const struct contexts *t = &v->frames.tree;
  const char *between = "";
  put_by_pointer (out, t, node);
  fprintf (out, "\"samples\": %" PRIu64 ", \"places\": [", t->nodes[node].ticks);
  for (; t->nodes[node].kind != BBX_FRAME_THREAD; node = t->nodes[node].parent, between = ", ")
    {
      fputs (between, out);
      if (t->nodes[node].kind == BBX_FRAME_CODE)
        json_number (out, t->nodes[node].address);
      else
        fputs ("null", out);
    }
  fputs ("], ", out);
  put_index (out, "thread", t->nodes[node].address, t->nodes[node].address != FRAMES_NO_THREAD);
  fputs ("}", out);
}

static void
put_stacks (FILE *out, const struct export_view *v)
{
  const struct contexts *t = &v->frames.tree;
  size_t n = 0;
  begin (out, "stacks");
  for (uint32_t i = contexts_next (t, 0); i != 0; i = contexts_next (t, i))
    if (t->nodes[i].ticks > 0)
      {
        item (out, n++);
        put_stack (out, v, i);
      }
  end (out);
}

/* The member NAME: the place of an address. */
static void
put_place (FILE *out, const struct export_view *v, const char *name, uint64_t address)
{
  const struct frames_place *p = frames_at (&v->frames, address);
  put_index (out, name, p ? (size_t) (p - v->frames.places) : 0, p);
}

static void
put_calls (FILE *out, const struct export_view *v)
{
  const struct profile *p = &v->model->profile;
  begin (out, "calls");
  for (size_t i = 0; i < p->ncalls && !v->model->estimated; i++)
    {
      item (out, i);
      put_place (out, v, "from", frames_call_address (v->model, &p->calls[i]));
      fputs (", ", out);
      put_place (out, v, "to", p->calls[i].self);
      fprintf (out, ", \"count\": %" PRIu64 "}", p->calls[i].count);
    }
  end (out);
}

static void
put_blocks (FILE *out, const struct export_view *v)
{
  size_t n = 0;
  begin (out, "blocks");
  for (size_t i = 0; i < v->blocks.count; i++)
    {
      const struct block *b = &v->blocks.blocks[i];
      item (out, n++);
      fprintf (out, "\"address\": \"0x%" PRIx64 "\", \"end\": \"0x%" PRIx64 "\", ", b->start,
               b->end);
      put_count (out, b->count, b->open);
      fprintf (out, ", \"samples\": %.3f, ", b->samples);
      put_place (out, v, "place", b->start);
      fputs ("}", out);
    }
  end (out);
}

static void
put_edges (FILE *out, const struct export_view *v, const char *name, const struct edges *edges)
{
  begin (out, name);
  for (size_t i = 0; i < edges->count; i++)
    {
      const struct edge *e = &edges->by_from[i];
      item (out, i);
      fputs ("\"from\": ", out);
      json_address (out, e->from);
      fputs (", \"to\": ", out);
      json_address (out, e->to);
      fputs (", ", out);
      put_count (out, e->count, open_edge (v->model, e->from, e->to));
      fputs ("}", out);
    }
  end (out);
}

bool
export_json (FILE *out, const struct export_view *v, struct error *err)
{
  json_head (out, "bbprof-profile", FORMAT_VERSION, v->program, v->model);
  put_run (out, v);
  put_languages (out, v);
  put_objects (out, v);
  put_threads (out, v);
  put_functions (out, v);
  put_places (out, v);
  put_stacks (out, v);
  put_calls (out, v);
  put_blocks (out, v);
  put_edges (out, v, "edges", &v->model->edges);
  put_edges (out, v, "jumps", &v->model->jumps);
  fputs ("\n}\n", out);
  return error_if_unwritten (out, err);
}
