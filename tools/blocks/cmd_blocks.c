/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof blocks: the basic blocks that ran most often. */
#include "config.h"

#include "model/open_counts.h"
#include "tools/arguments/arguments.h"
#include "tools/blocks/blocks_emit.h"
#include "tools/command.h"
#include "tools/view/pager.h"

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
                      "no counts of edges (compile with -fplugin=bbprof; they are in the sidecar)");
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
      style_choose (&style, a->color);
      pager_begin (!a->no_pager);
      warnings_show (stdout, &t->model->warnings);
      if (!blocks_emit_text (stdout, t, &style))
        return error_no_memory (err);
    }
  return pager_end (err);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model model = { 0 };
  struct blocks blocks = { 0 };

  enum command_result parsed = arguments_parse (&a, &command_blocks, argc, argv, err);
  if (parsed != COMMAND_DONE)
    return parsed;
  struct block_table table = { .program = a.program,
                               .model = &model,
                               .blocks = &blocks,
                               .sort = (enum blocks_sort) a.sort,
                               .edges = a.edges,
                               .function = a.filter,
                               .object = a.object };
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

static const struct command_option options[] = {
  NUMBER_OPTION ("blocks"),
  { ARGUMENT_EDGES, "edges", NULL,
    "below each block, show the blocks before and after it, with counts", NULL },
  { OPTION_SORT, "sort", "ORDER",
    "executions (default) or samples: the most first; function: in the order of the code",
    "executions samples function" },
  FILTER_OPTION ("blocks of functions"),
  OBJECT_OPTION ("blocks"),
  OUTPUT_OPTION,
  COLOR_OPTION,
  NO_PAGER_OPTION,
  FORCE_OPTION,
  JSON_OPTION,
  END_OF_OPTIONS,
};

const struct command command_blocks = {
  .name = "blocks",
  .summary = "the basic blocks that ran most often",
  .group = GROUP_LOOK,
  .synopsis = "[option...] [PROGRAM] [gmon.out...]",
  .description
  = "Shows the basic blocks of PROGRAM (instructions with one entry and one exit) that ran most "
    "often.  Several profiles are added up.",
  .notes
  = "Columns: executions, exact; their share of the executions of all blocks; samples in the "
    "block; its address, source line (with -g) and function.  If shared libraries have block "
    "counts too, also the object; the address is the one in that file.",
  .options = options,
  .prints_page = true,
  .run = run,
};
