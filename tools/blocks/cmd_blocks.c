/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof blocks: the basic blocks that ran most often. */
#include "config.h"

#include "model/open_counts.h"
#include "tools/arguments/arguments.h"
#include "tools/blocks/blocks_emit.h"
#include "tools/command.h"

static void
usage (void)
{
  fputs (
      "Usage: bbprof blocks [option...] [PROGRAM] [gmon.out...]\n"
      "Shows the basic blocks (straight pieces of machine code) of PROGRAM that ran most often.\n"
      "Without names of profiles: gmon.out.  Several add up.\n"
      "\n"
      "  -n, --number N   so many blocks at most; 0: all that ran (default 20)\n"
      "      --edges      below each block: from which blocks control came, how often, and where "
      "it went\n"
      "      --force      of another build of PROGRAM, too: functions and lines may be wrong\n"
      "      --json       for programs: all numbers, whole file names\n"
      "  -h, --help       this text\n"
      "\n"
      "Columns: executions, exact; their share of the executions of all blocks; samples: how often "
      "the clock\n"
      "found the program in this block; the block's address, source line (if compiled with -g), "
      "function, and,\n"
      "if shared libraries have blocks, too, the object that it is in; the address is one in that "
      "file.\n",
      stdout);
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
  if (ok && a->edges && !m->edges.count)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET,
                      "no counts of edges (they are in the sidecar beside the profile)");
  return ok;
}

static bool
print (const struct arguments *a, const struct block_table *t, struct error *err)
{
  struct style style;
  if (a->json)
    blocks_emit_json (stdout, t);
  else
    {
      style_choose (&style, NULL);
      warnings_show (stdout, &t->model->warnings);
      if (!blocks_emit_text (stdout, t, &style))
        return error_no_memory (err);
    }
  return error_if_unwritten (stdout, err);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model model = { 0 };
  struct blocks blocks = { 0 };

  if (!arguments_parse (&a, "nje", argc, argv))
    return COMMAND_USAGE;
  if (a.help)
    {
      usage ();
      return COMMAND_DONE;
    }
  struct block_table table
      = { .program = a.program, .model = &model, .blocks = &blocks, .edges = a.edges };
  bool ok = read_files (&a, argv[0], &model, err)
            && blocks_build (&blocks, &model.objects, &model.symtab, &model.profile, err);
  if (ok)
    open_blocks (&blocks, &model);
  ok = ok && blocks_choose (&table, a.most, err) && print (&a, &table, err);
  blocks_choose_free (&table);
  blocks_free (&blocks);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_blocks
    = { .name = "blocks", .help = "the basic blocks that ran most often", .run = run };
