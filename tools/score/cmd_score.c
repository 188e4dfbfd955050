/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof score: what the instrumentation of each function costs, and which functions to leave
   out next time. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/command.h"
#include "tools/score/score.h"

static void
usage (void)
{
  fputs (
      "Usage: bbprof score [option...] [PROGRAM] [gmon.out...]\n"
      "Predicts from a profile what counting costs in each function of PROGRAM, the most expensive "
      "first.\n"
      "Without names of profiles: gmon.out.  Several add up.\n"
      "\n"
      "  -n, --number N            so many functions at most; 0: all that ran (default 20)\n"
      "      --exclude-above=P     mark the functions in which it costs more than P percent of "
      "their own time\n"
      "  -o, --output FILE         write these to FILE, for -fplugin-arg-bbprof-exclude=@FILE in "
      "the next build\n"
      "      --cost=KIND:NS,...    nanoseconds of a counter, call, entry (default: measured now)\n"
      "      --force               of another build of PROGRAM, too: functions and lines may be "
      "wrong\n"
      "      --json                for programs\n"
      "  -h, --help                this text\n"
      "\n"
      "Columns: cost of counting in milliseconds; in percent of the time of the whole program, and "
      "of the function\n"
      "itself, without it; this time; executions of its counters; calls counted.\n",
      stdout);
}

static bool
read_costs (const struct arguments *a, const char *argv0, struct cost *c)
{
  *c = cost_measure ();
  if (!a->cost || cost_parse (c, a->cost))
    return true;
  fprintf (stderr, "%s: --cost wants counter:NS,call:NS,entry:NS or some of these, not '%s'\n",
           argv0, visible (a->cost));
  return false;
}

static bool
read_files (const struct arguments *a, const char *argv0, struct model *m, struct error *err)
{
  bool ok = model_read (m, a->program, a->profiles, a->nprofiles,
                        &(struct symtab_choice) { .parts = true, .any_build = a->force }, err);
  warnings_print_beside (argv0, &m->warnings, ok && !a->json);
  if (ok && !m->profile.has_executions)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET,
                      "no block counts in the profile (compile with -fplugin=bbprof to have them)");
  return ok;
}

static bool
build (struct score *s, const struct model *m, struct error *err)
{
  struct blocks blocks = { 0 };
  struct callgraph graph = { 0 };
  bool ok = blocks_build (&blocks, &m->objects, &m->symtab, &m->profile, err)
            && callgraph_build (&graph, &m->symtab, &m->profile, err)
            && (score_build (s, &blocks, &graph) || error_no_memory (err));
  callgraph_free (&graph);
  blocks_free (&blocks);
  return ok;
}

static bool
write_list (const char *name, const struct score *s, struct error *err)
{
  FILE *out = fopen (name, "w");
  if (!out)
    return error_set (err, name, ERROR_NO_OFFSET, "cannot open: %s", strerror (errno));
  score_emit_list (out, s);
  bool ok = fflush (out) == 0 && !ferror (out);
  int error = errno;
  fclose (out);
  return ok
         || error_set (err, name, ERROR_NO_OFFSET, "cannot write the list: %s", strerror (error));
}

static bool
print (const struct arguments *a, struct score *s, struct error *err)
{
  s->shown = s->count < a->most ? s->count : a->most;
  if (a->exclude_above >= 0)
    score_exclude (s, a->exclude_above);
  if (!a->json)
    warnings_show (stdout, &s->model->warnings);
  (a->json ? score_emit_json : score_emit_text) (stdout, s);
  return error_if_unwritten (stdout, err) && (!a->output || write_list (a->output, s, err));
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model model = { 0 };
  struct score score = { 0 };
  if (!arguments_parse (&a, "njocx", argc, argv))
    return COMMAND_USAGE;
  if (a.help)
    {
      usage ();
      return COMMAND_DONE;
    }
  if (a.output && a.exclude_above < 0)
    {
      fprintf (stderr, "%s: -o wants --exclude-above, which says what to write\n", argv[0]);
      return COMMAND_USAGE;
    }
  score.program = a.program;
  score.model = &model;
  if (!read_costs (&a, argv[0], &score.costs))
    return COMMAND_USAGE;
  bool ok = read_files (&a, argv[0], &model, err) && build (&score, &model, err)
            && print (&a, &score, err);
  score_free (&score);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_score = {
  .name = "score", .help = "what counting costs in each function; whom to leave out", .run = run
};
