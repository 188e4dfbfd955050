/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the files that a timeline is made of.  gmon.out.bbs has all but the threads' numbers and
   the names of functions, which are in the profile and its sidecar; without these the timeline is
   still shown. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/streams/samples_read.h"
#include "model/elf/demangle.h"
#include "model/model.h"
#include "tools/intervals/timeline_own.h"
#include "tools/program/profile_program.h"

#define RECORD "bbprof record --timeline -- PROGRAM"
#define OTHER_RUN "the times beside it are of another run"

static uint64_t
lost (const struct samples_file *f, const char *cause)
{
  uint64_t n = 0;
  for (size_t i = 0; i < f->nlosses; i++)
    if (strcmp (f->losses[i].cause, cause) == 0)
      n += f->losses[i].count;
  return n;
}

/* Reports records for which the writer had no room: they do not appear as a gap. */
static void
say_lost (const struct samples_file *f, const char *argv0)
{
  struct error why;
  const uint64_t n = lost (f, BBS_LOST_WATCHED);
  if (n == 0)
    return;
  error_set (&why, f->name, ERROR_NO_OFFSET,
             "%" PRIu64 " %s: the timeline has holes, or ends too early", n, BBS_LOST_WATCHED);
  error_print (argv0, &why);
}

/* Opens the times of PROFILE, of NAME, and checks that its threads were watched.  Errors name
   PROFILE, because the file is one of those beside it. */
static bool
open_samples (struct samples_file *f, const char *name, const char *profile, const char *argv0,
              struct error *err)
{
  struct error why;
  if (access (name, F_OK) != 0)
    return error_set (err, profile, ERROR_NO_OFFSET,
                      access (profile, F_OK) == 0
                          ? "has no timeline; record one: " RECORD " (there is no %s beside it)"
                          : "there is no such profile; record it: " RECORD " (there is no %s, too)",
                      name);
  if (!samples_file_open (f, name, &why))
    return error_set (err, profile, why.offset,
                      "has no timeline; record one: " RECORD " (%.80s beside it: %.160s)", name,
                      why.text);
  if (!f->whole && f->watch.how == BBS_BY_NOTHING)
    return error_set (err, profile, f->why.offset,
                      "%.80s beside it: %.120s, which does not show which thread ran when", name,
                      f->why.text);
  if (!f->whole)
    error_print (argv0, &f->why);
  say_lost (f, argv0);
  if (f->unwatched)
    return error_set (err, profile, ERROR_NO_OFFSET, "its threads could not be watched: %.160s",
                      f->unwatched);
  return f->watch.how != BBS_BY_NOTHING
         || error_set (err, profile, ERROR_NO_OFFSET,
                       "recorded without a timeline; record one: " RECORD);
}

/* Names of functions.  */

/* The name of a node's symbol, made once.  NAMES: by symbol. */
static char *
find_name (const struct model *m, char **names, uint32_t symbol)
{
  if (!names[symbol])
    {
      const char *name = m->symtab.symbols[symbol].name;
      char *plain = demangle_name (model_program (m), name);
      names[symbol] = plain ? plain : strdup (name);
    }
  return names[symbol];
}

static bool
name_nodes (struct timeline_node *nodes, const struct model *m, const uint32_t *symbols,
            char **names)
{
  static const char not_known[] = "[not known]";
  const struct bbx_stacks *x = &m->runs[0].sidecar.stacks;
  for (size_t i = 0; i < x->nnodes; i++)
    {
      struct timeline_node *node = &nodes[i + 1];
      node->parent = x->nodes[i].parent;
      if (x->nodes[i].kind == BBX_FRAME_THREAD)
        continue;
      node->name = symbols[i] == STACKS_NO_SYMBOL ? not_known : find_name (m, names, symbols[i]);
      if (!node->name)
        return false;
    }
  return true;
}

static bool
add_stacks (struct timeline *t, const struct model *m)
{
  const struct bbx_stacks *x = &m->runs[0].sidecar.stacks;
  struct timeline_node *nodes = calloc (x->nnodes + 1, sizeof *nodes);
  char **names = calloc (m->symtab.count + 1, sizeof *names);
  uint32_t *symbols = stacks_find_symbols (x, &m->symtab);
  bool ok = nodes && names && symbols && name_nodes (nodes, m, symbols, names)
            && timeline_set_stacks (t, nodes, x->nnodes + 1);
  for (size_t i = 0; names && i < m->symtab.count; i++)
    free (names[i]);
  free (names);
  free (symbols);
  free (nodes);
  return ok;
}

static bool
add_samples (struct timeline *t, const struct samples_file *f)
{
  bool ok = true;
  for (size_t i = 0; ok && i < f->nthreads; i++)
    ok = timeline_add_samples (t, f->threads[i].number, f->threads[i].samples, f->threads[i].n);
  return ok;
}

/* The profile.  */

/* Reads the profile of PROGRAM, as far as there is one, and warns of what is missing.  False: it is
   of another run, or of another build of the program. */
static bool
read_model (struct model *m, const char *profile, const char *program, bool any_build,
            const struct samples_file *f, const char *argv0, struct error *err)
{
  struct error why;
  char *names[] = { (char *) profile };
  if (!program)
    {
      error_set (&why, profile, ERROR_NO_OFFSET,
                 "no profile that names its program: functions have no names");
      error_print (argv0, &why);
      return true;
    }
  struct symtab_choice choice = { .parts = true, .any_build = any_build };
  if (!model_read_stacks (m, program, names, 1, &choice, &why))
    {
      if (m->refused)
        {
          *err = why;
          return false;
        }
      error_print (argv0, &why);
    }
  else if (m->runs[0].number != f->run)
    return error_set (err, profile, ERROR_NO_OFFSET, OTHER_RUN);
  warnings_print (argv0, &m->warnings);
  return true;
}

static bool
make (struct timeline *t, const struct samples_file *f, const struct model *m, struct error *err)
{
  const struct bbx_stacks *x = m->nruns > 0 ? &m->runs[0].sidecar.stacks : NULL;
  const struct timeline_input input = { .watch = f->watch,
                                        .watched = &f->watched,
                                        .waits = f->waits,
                                        .nwaits = f->nwaits,
                                        .threads = x ? x->threads : NULL,
                                        .nthreads = x ? x->nthreads : 0 };
  if (!timeline_make (t, &input, err))
    return false;
  if (m->nruns > 0 && m->runs[0].other_build)
    t->doubt
        = "the program is another build than the one that ran: names of functions may be wrong";
  t->damaged = !f->whole && !f->torn;
  t->lost = lost (f, BBS_LOST_SWITCHES);
  t->lost_marks = lost (f, BBS_LOST_MARKS);
  t->lost_mpi_calls += lost (f, BBS_LOST_MPI_CALLS);
  return ((!x || add_stacks (t, m)) && (m->nruns == 0 || timeline_name_locks (t, m))
          && add_samples (t, f) && timeline_add_wakers (t))
         || error_no_memory (err);
}

static bool
set_program (struct timeline *t, const char *program)
{
  const char *slash = program ? strrchr (program, '/') : NULL;
  return !program || (t->program = timeline_keep_text (t, slash ? slash + 1 : program));
}

bool
timeline_open (struct timeline *t, const char *profile, const char *program, bool any_build,
               const char *argv0, struct error *err)
{
  struct samples_file f = { .name = NULL };
  struct model m = { 0 };
  char *name = NULL, *recorded = program ? NULL : profile_program (profile, err);
  *t = (struct timeline) { .program = NULL };
  program = program ? program : recorded;
  bool ok = (name = samples_file_name (profile)) || error_no_memory (err);
  ok = ok && open_samples (&f, name, profile, argv0, err)
       && read_model (&m, profile, program, any_build, &f, argv0, err) && make (t, &f, &m, err)
       && (set_program (t, program) || error_no_memory (err));
  model_free (&m);
  samples_file_close (&f);
  free (name);
  free (recorded);
  return ok;
}

bool
timeline_open_model (struct timeline *t, const char *profile, const struct model *m,
                     const char *program, const char *argv0, struct error *err)
{
  struct samples_file f = { .name = NULL };
  char *name = samples_file_name (profile);
  *t = (struct timeline) { .program = NULL };
  bool ok = (name || error_no_memory (err)) && open_samples (&f, name, profile, argv0, err)
            && (m->runs[0].number == f.run || error_set (err, profile, ERROR_NO_OFFSET, OTHER_RUN))
            && make (t, &f, m, err) && (set_program (t, program) || error_no_memory (err));
  samples_file_close (&f);
  free (name);
  return ok;
}
