/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "model/elf/demangle.h"
#include "model/open_counts.h"
#include "tools/export/export_view.h"

/* The clock and the length of a tick. */
static bool
find_time (struct export_view *v, struct error *err)
{
  const struct model *m = v->model;
  const struct bbx_sampling *first = NULL;
  for (size_t i = 0; m->has_stacks && i < m->nruns; i++)
    for (size_t k = 0; k < m->runs[i].sidecar.stacks.nsamplings; k++)
      {
        const struct bbx_sampling *s = &m->runs[i].sidecar.stacks.samplings[k];
        if (first && first->clock != s->clock)
          return error_set (err, m->runs[i].profile, ERROR_NO_OFFSET,
                            "cannot add samples of CPU time to samples of wall time");
        first = first ? first : s;
      }
  v->wall = first && first->clock == 1;
  if (first && first->rate > 0)
    v->tick = 1e9 / first->rate * summary_scale (&v->summary);
  else if (m->profile.nhistograms > 0 && m->profile.letter == 's' && m->profile.rate > 0)
    v->tick = 1e9 / m->profile.rate;
  return true;
}

static bool
find_names (struct export_view *v)
{
  bool ok = (v->names = calloc (v->frames.nfunctions + 1, sizeof *v->names)) != NULL;
  for (size_t i = 0; ok && i < v->frames.nfunctions; i++)
    {
      const char *symbol = v->frames.functions[i].symbol;
      char *name = demangle_name (model_program (v->model), symbol);
      v->names[i] = utf8_clean (name ? name : symbol);
      free (name);
      ok = v->names[i] != NULL;
    }
  return ok;
}

static bool
find_build_ids (struct export_view *v)
{
  const struct objects *all = &v->model->objects;
  char text[BUILD_ID_TEXT];
  bool ok = (v->build_ids = calloc (all->count + 1, sizeof *v->build_ids)) != NULL;
  for (size_t i = 0; ok && i < all->count; i++)
    ok = (v->build_ids[i] = strdup (build_id_text (&all->all[i].build_id, text))) != NULL;
  return ok;
}

bool
export_view_make (struct export_view *v, const struct frames_choice *choice, struct error *err)
{
  const struct model *m = v->model;
  if (!callgraph_build (&v->graph, &m->symtab, &m->profile, err)
      || !blocks_build (&v->blocks, &m->objects, &m->symtab, &m->profile, err))
    return false;
  open_blocks (&v->blocks, m);
  if (!summary_make (&v->summary, m) || !frames_make (&v->frames, m, choice) || !find_names (v)
      || !find_build_ids (v))
    return error_no_memory (err);
  return find_time (v, err);
}

void
export_view_free (struct export_view *v)
{
  for (size_t i = 0; v->names && i < v->frames.nfunctions; i++)
    free (v->names[i]);
  free (v->names);
  for (size_t i = 0; v->build_ids && i < v->model->objects.count; i++)
    free (v->build_ids[i]);
  free (v->build_ids);
  frames_free (&v->frames);
  callgraph_free (&v->graph);
  blocks_free (&v->blocks);
  summary_free (&v->summary);
}

const char *
export_thread_name (const struct export_view *v, const struct context *root)
{
  if (root->address == FRAMES_NO_THREAD)
    return v->model->has_stacks ? "[other threads]" : "[all threads]";
  const char *name = v->model->stacks.threads[root->address].fixed.name;
  return *name ? name : "[no name]";
}

const char *
export_frame_name (const struct export_view *v, const struct context *c)
{
  switch (c->kind)
    {
    case BBX_FRAME_CODE:
    case FRAMES_INLINED: return v->names[c->address];
    case BBX_FRAME_THREAD: return export_thread_name (v, c);
    default: return "[unknown]";
    }
}
