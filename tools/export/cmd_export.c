/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof export: the profile in the formats of other viewers. */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "tools/arguments/arguments.h"
#include "tools/command.h"
#include "tools/export/export_emit.h"
#include "tools/frames/chosen_threads.h"

#define STACKS 1u /* prints samples as stacks */
#define BINARY 2u /* not text */
#define BLOCKS 4u /* needs counts of blocks */
#define PLACES 8u /* looks up the places of calls and blocks */

/* In the order of the list below. */
#define FORMATS \
  "pprof speedscope firefox folded callgrind lcov order order-gold call-graph bolt json"

static const struct format {
  const char *name;
  unsigned flags;
  export_emitter *emit;
} formats[] = {
  { "pprof", STACKS | BINARY | PLACES, export_pprof },
  { "speedscope", STACKS, export_speedscope },
  { "firefox", STACKS, export_firefox },
  { "folded", STACKS, export_folded },
  { "callgrind", BLOCKS, export_callgrind },
  { "lcov", BLOCKS, export_lcov },
  { "order", 0, export_order },
  { "order-gold", 0, export_order_gold },
  { "call-graph", 0, export_call_graph },
  { "bolt", BLOCKS, export_bolt },
  { "json", PLACES, export_json },
};

static bool
is_possible (const struct arguments *a, const struct model *m, const char *argv0, struct error *err)
{
  const struct format *format = &formats[a->format];
  if ((format->flags & BLOCKS) && !m->profile.has_executions)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET,
                      "no block counts in the profile (compile with -fplugin=bbprof to have them)");
  if (!m->has_stacks && a->threads)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET,
                      "its samples have no call stacks; bbprof record takes them");
  if ((format->flags & STACKS) && !m->has_stacks)
    fprintf (stderr,
             "%s: the samples have no call stacks, so each has one function; bbprof record takes "
             "stacks\n",
             argv0);
  return true;
}

static bool
print (const struct arguments *a, struct export_view *v, struct error *err)
{
  struct frames_choice choice
      = { .no_inlines = a->no_inlines, .counts = formats[a->format].flags & PLACES };
  bool *threads = a->threads ? chosen_threads (v->model, a->threads, err) : NULL;
  choice.threads = threads;
  bool ok = (threads || !a->threads) && export_view_make (v, &choice, err)
            && formats[a->format].emit (stdout, v, err);
  export_view_free (v);
  free (threads);
  return ok;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model model = { 0 };
  enum command_result parsed = arguments_parse (&a, &command_export, argc, argv, err);
  if (parsed != COMMAND_DONE)
    return parsed;
  if (a.format == SIZE_MAX)
    {
      fprintf (stderr, "%s: --format=NAME is missing; NAME is one of: " FORMATS "\n", argv[0]);
      return COMMAND_USAGE;
    }
  if (formats[a.format].emit == export_bolt && !a.map)
    {
      fprintf (stderr, "%s: --map=FILE is missing\n", argv[0]);
      return COMMAND_USAGE;
    }
  if ((formats[a.format].flags & BINARY) && isatty (STDOUT_FILENO))
    {
      fprintf (stderr, "%s: this format is not text; -o FILE writes it to a file\n", argv[0]);
      return COMMAND_USAGE;
    }
  bool ok = model_read_stacks (&model, a.program, a.profiles, a.nprofiles,
                               &(struct symtab_choice) { .parts = true,
                                                         .any_build = a.force,
                                                         .frames = (enum frames_shown) a.frames },
                               err);
  warnings_print (argv[0], &model.warnings);
  struct export_view view = { .program = a.program, .map = a.map, .model = &model };
  ok = ok && is_possible (&a, &model, argv[0], err) && print (&a, &view, err);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

static const struct command_option options[] = {
  { ARGUMENT_FORMAT, "format", "NAME", "the format; see below", FORMATS },
  THREADS_OPTION ("stacks"),
  FRAMES_OPTION,
  { ARGUMENT_NO_INLINES, "no-inlines", NULL, "leave out frames of inlined functions", NULL },
  { ARGUMENT_MAP, "map", "FILE",
    "for bolt: the build of PROGRAM to optimise, compiled with -fplugin-arg-bbprof-blocks=map",
    NULL },
  OUTPUT_OPTION,
  FORCE_OPTION,
  END_OF_OPTIONS,
};

const struct command command_export = {
  .name = "export",
  .summary = "the profile in the formats of other viewers",
  .group = GROUP_LOOK,
  .synopsis = "--format=NAME [option...] [PROGRAM] [gmon.out...]",
  .description
  = "Writes the profile in a format that other programs read.  Several profiles are added up.  "
    "Without PROGRAM: the program that the profile names.",
  .notes = "Formats:\n"
           "  pprof       go tool pprof, Pyroscope: samples, time, calls, executions\n"
           "  speedscope  speedscope.app\n"
           "  firefox     profiler.firefox.com\n"
           "  folded      flamegraph.pl and others: a stack on each line\n"
           "  callgrind   KCachegrind, callgrind_annotate: instructions, calls, jumps\n"
           "  lcov        lcov, genhtml: executions of lines, functions and branches\n"
           "  order       lld --symbol-ordering-file: the order of functions\n"
           "  order-gold  gold --section-ordering-file: the same\n"
           "  call-graph  lld --call-graph-ordering-file: calls between functions\n"
           "  bolt        llvm-bolt --data; needs --map\n"
           "  json        all that the profile knows\n"
           "For chrome://tracing and ui.perfetto.dev: bbprof timeline --chrome, bbprof trace "
           "--chrome.",
  .options = options,
  .prints_page = true,
  .run = run,
};
