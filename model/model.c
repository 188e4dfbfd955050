/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/files/gmon_read.h"
#include "model/missing_names.h"
#include "model/model.h"
#include "model/symbols/symtab_load.h"
#include "recover/recover.h"

/* Warns of a sidecar that is not whole.  A missing one matters only if the profile has addresses
   outside of the program. */
static bool
warn (struct model *m, const struct bbx *x, const struct gmon_file *f)
{
  struct error why = x->why;
  if (x->state == BBX_WHOLE || (x->state == BBX_NONE && f->outside == 0))
    return true;
  if (x->state == BBX_NONE)
    error_set (&why, x->name, ERROR_NO_OFFSET,
               "missing, so objects are unknown: those of %" PRIu64 " address%s in the profile",
               f->outside, f->outside == 1 ? "" : "es");
  return warnings_add (&m->warnings, &why);
}

static bool
add_edges (struct edges *edges, const struct edge *list, size_t n, const struct gmon_moves *moves)
{
  for (size_t i = 0; i < n; i++)
    {
      const struct edge *e = &list[i];
      if (!edges_add (edges, (struct edge) { gmon_moved (moves, e->from), gmon_moved (moves, e->to),
                                             e->count }))
        return false;
    }
  return true;
}

/* Adds what the sidecar X knows of the program.  False: out of memory. */
static bool
add_sidecar (struct model *m, const struct bbx *x, const struct gmon_moves *moves)
{
  m->jumps_variants |= x->jumps_variants;
  for (size_t i = 0; i < x->stacks.nsamplings; i++)
    m->estimated |= (x->stacks.samplings[i].flags & BBX_SAMPLING_ARCS) != 0;
  for (int i = 0; i < BBX_JUMPS_VARIANTS; i++)
    if (!add_edges (&m->jumps, x->jumps[i].list, x->jumps[i].count, moves))
      return false;
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    if (!add_edges (&m->open[i], x->open[i].list, x->open[i].count, moves))
      return false;
  return add_edges (&m->edges, x->edges, x->nedges, moves)
         && block_names_add_run (&m->block_names, x, moves);
}

/* Reads the sidecar of the profile F, after which MOVES gives its addresses in the model.  It
   stays empty if the profile has none. */
static bool
read_sidecar (struct model *m, struct run *run, const struct gmon_file *f, bool any_build,
              struct gmon_moves *moves, struct error *err)
{
  struct bbx *x = &run->sidecar;
  if (f->run == 0 || f->file == stdin)
    return true;
  bbx_read (x, run->profile, f->run, f->moment);
  if (x->state != BBX_WHOLE && x->state != BBX_TORN)
    return true;
  size_t nwarnings = m->warnings.count;
  m->refused = !objects_check_build (&m->objects, x, run->profile, any_build, &m->warnings, err);
  run->other_build = m->warnings.count > nwarnings;
  return !m->refused && objects_add_run (&m->objects, x, moves, err)
         && (add_sidecar (m, x, moves) || error_no_memory (err));
}

/* Warns of doubtful profiles.  If build ids decide whether the profile is the program's, nothing
   else is checked. */
static bool
warn_of_profile (struct model *m, const struct run *run, const struct gmon_file *f)
{
  bool has_sidecar = f->run != 0 && f->file != stdin;
  return (!f->doubtful || run->other_build || warnings_add (&m->warnings, &f->doubt))
         && (!has_sidecar || warn (m, &run->sidecar, f));
}

/* Reads the profile NAME and its sidecar. */
static bool
read_profile (struct model *m, struct run *run, const char *name, const struct gmon_shape *shape,
              const struct symtab_choice *choice, struct error *err)
{
  struct gmon_file f;
  struct bbx *x = &run->sidecar;
  struct gmon_moves moves = { 0 };
  run->profile = name;
  if (!recover_live_files (&m->warnings, name))
    return error_no_memory (err);
  bool ok = gmon_open (&f, name, shape, err);
  run->number = ok ? f.run : 0;
  run->moment = ok ? f.moment : 0;
  m->profile.exact_callers &= ok && f.exact_callers;
  ok = ok && read_sidecar (m, run, &f, choice->any_build, &moves, err)
       && gmon_read (&m->profile, &f, shape, &moves, err)
       && (warn_of_profile (m, run, &f) || error_no_memory (err));
  m->has_stacks &= x->stacks.has_nodes && (x->state == BBX_WHOLE || x->state == BBX_TORN);
  stacks_move (&x->stacks, &moves);
  bbx_ranks_move (&x->ranks, &moves);
  ok = ok
       && ((frames_choose (&x->stacks, choice->frames)
            && languages_enter (&m->stacks.languages, &x->stacks))
           || error_no_memory (err));
  run->is_read = ok;
  /* as gprof does for files without one */
  run->version = f.is_bsd && run > m->runs ? run[-1].version : f.version;
  run->records = f.records;
  gmon_close (&f);
  free (moves.moves);
  return ok;
}

static bool
finish_open (struct model *m)
{
  bool ok = true;
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    ok = ok && edges_finish (&m->open[i]);
  return ok;
}

static bool
read_profiles (struct model *m, char **profiles, int n, enum gmon_format format,
               const struct symtab_choice *choice, struct error *err)
{
  struct gmon_shape shape = gmon_shape_of (&m->objects.all[0].image);
  shape.format = format;
  m->runs = calloc ((size_t) n, sizeof *m->runs);
  if (!m->runs)
    return error_no_memory (err);
  m->profile.exact_callers = true;
  for (int i = 0; i < n; i++)
    if ((n == 1 || !bbx_is_name (profiles[i]))
        && !read_profile (m, &m->runs[m->nruns++], profiles[i], &shape, choice, err))
      return false;
  if (m->nruns == 0)
    return error_set (err, profiles[0], ERROR_NO_OFFSET, "a sidecar; name its profile instead");
  return (profile_finish (&m->profile) && edges_finish (&m->edges) && finish_open (m)
          && edges_finish (&m->jumps) && block_names_finish (&m->block_names))
         || error_no_memory (err);
}

/* Choices for reading, besides the profiles. */
struct wanted {
  enum gmon_format format;
  bool stacks;
  bool estimates; /* calls, even if they were not counted */
};

/* The stacks of each run, in new memory.  Null: out of memory. */
static const struct bbx_stacks **
list_stacks (const struct model *m)
{
  const struct bbx_stacks **xs = malloc ((m->nruns + 1) * sizeof *xs);
  for (size_t i = 0; xs && i < m->nruns; i++)
    xs[i] = &m->runs[i].sidecar.stacks;
  return xs;
}

bool
model_stack_tree (const struct model *m, struct contexts *tree)
{
  const struct bbx_stacks **xs = list_stacks (m);
  bool ok = xs && stacks_tree (tree, xs, m->nruns, &m->symtab);
  free (xs);
  return ok;
}

/* Reads the functions of all objects in the profiles. */
static bool
read_functions (struct model *m, const struct symtab_choice *asked, struct error *err)
{
  struct symtab_choice choice = *asked;
  const struct bbx_stacks **xs = list_stacks (m);
  choice.stacks = m->has_stacks ? &m->stacks : NULL;
  bool ok = ((xs && (!m->has_stacks || stacks_find_objects (&m->stacks, xs, m->nruns, &m->objects))
              && objects_finish (&m->objects, &m->profile, &m->warnings))
             || error_no_memory (err))
            && symtab_load (&m->symtab, &m->objects, &choice, err)
            && (missing_names_warn (m) || error_no_memory (err))
            && (!m->has_stacks || stacks_add_threads (&m->stacks, xs, m->nruns)
                || error_no_memory (err));
  free (xs);
  return ok;
}

/* Warns of stacks that are not used, because some profile has none. */
static bool
warn_of_stacks (struct model *m)
{
  const struct run *without = NULL;
  bool some = false;
  struct error why;
  for (size_t i = 0; i < m->nruns; i++)
    if (m->runs[i].sidecar.stacks.has_nodes)
      some = true;
    else
      without = &m->runs[i];
  if (!some || !without)
    return true;
  error_set (&why, without->profile, ERROR_NO_OFFSET,
             "has no stacks, so those of the other profiles are not used");
  return warnings_add (&m->warnings, &why);
}

static bool
read_model (struct model *m, const char *program, char **profiles, int n,
            const struct wanted *wanted, const struct symtab_choice *choice, struct error *err)
{
  memset (m, 0, sizeof *m);
  m->has_stacks = wanted->stacks;
  bool ok = objects_open_program (&m->objects, program, err);
  if (ok && choice->needs_table && !choice->file && model_program (m)->nraw == 0)
    ok = error_set (err, program, ERROR_NO_OFFSET, "no symbols (was the program stripped?)");
  ok = ok && read_profiles (m, profiles, n, wanted->format, choice, err);
  if (ok && wanted->stacks)
    ok = warn_of_stacks (m) || error_no_memory (err);
  if (ok && m->estimated && !wanted->estimates)
    {
      m->profile.ncalls = 0;
      m->profile.has_calls = false;
    }
  return ok && read_functions (m, choice, err);
}

bool
model_read_format (struct model *m, const char *program, char **profiles, int n,
                   enum gmon_format format, const struct symtab_choice *choice, struct error *err)
{
  return read_model (m, program, profiles, n,
                     &(struct wanted) { .format = format, .estimates = true }, choice, err);
}

bool
model_read (struct model *m, const char *program, char **profiles, int n,
            const struct symtab_choice *choice, struct error *err)
{
  return read_model (m, program, profiles, n, &(struct wanted) { .format = GMON_AUTO }, choice,
                     err);
}

bool
model_read_stacks (struct model *m, const char *program, char **profiles, int n,
                   const struct symtab_choice *choice, struct error *err)
{
  return read_model (m, program, profiles, n,
                     &(struct wanted) { .format = GMON_AUTO, .stacks = true }, choice, err);
}

void
model_free (struct model *m)
{
  for (size_t i = 0; i < m->nruns; i++)
    bbx_free (&m->runs[i].sidecar);
  free (m->runs);
  block_names_free (&m->block_names);
  profile_free (&m->profile);
  edges_free (&m->edges);
  for (int i = 0; i < BBX_OPEN_LISTS; i++)
    edges_free (&m->open[i]);
  edges_free (&m->jumps);
  stacks_free (&m->stacks);
  symtab_free (&m->symtab);
  objects_free (&m->objects);
  warnings_free (&m->warnings);
  memset (m, 0, sizeof *m);
}

const struct bbx_language *
model_language (const struct model *m, size_t index)
{
  for (size_t i = 0; i < m->nruns; i++)
    {
      const struct bbx_languages *l = &m->runs[i].sidecar.stacks.languages;
      if (index < l->n)
        return &l->list[index];
      index -= l->n;
    }
  return NULL;
}
