/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof blocks: the basic blocks that ran most often. */
#include "config.h"

#include <stdlib.h>

#include "arguments.h"
#include "array.h"
#include "blocks_emit.h"
#include "command.h"

static void
usage (void)
{
  fputs ("Usage: bbprof blocks [option...] PROGRAM [gmon.out...]\n"
         "Shows the basic blocks (straight pieces of machine code) of PROGRAM that ran most often.\n"
         "Without names of profiles: gmon.out.  Several add up.\n"
         "\n"
         "  -n, --number N   so many blocks at most; 0: all that ran (default 20)\n"
         "      --edges      below each block: from which blocks control came, how often, and where it went\n"
         "      --json       for programs: all numbers, whole file names\n"
         "  -h, --help       this text\n"
         "\n"
         "Columns: executions, exact; their share of the executions of all blocks; samples: how often the clock\n"
         "found the program in this block; the block's address, source line (if compiled with -g), function, and,\n"
         "if shared libraries have blocks, too, the object that it is in; the address is one in that file.\n",
         stdout);
}

/* The most executions first; then in the order of the program. */
static int
compare_rows (const void *a, const void *b, void *context)
{
  const struct block *x = ((const struct block_row *) a)->block, *y = ((const struct block_row *) b)->block;
  (void) context;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->start < y->start ? -1 : x->start > y->start;
}

/* Chooses the rows, then looks up names and lines for those only. */
static bool
make_rows (struct block_table *t, size_t most, struct error *err)
{
  const struct blocks *b = t->blocks;
  t->rows = calloc (b->executed + 1, sizeof *t->rows);
  if (!t->rows)
    return error_no_memory (err);
  size_t n = 0;
  for (size_t i = 0; i < b->count; i++)
    if (b->blocks[i].count != 0)
      t->rows[n++].block = &b->blocks[i];
  if (!array_sort (t->rows, n, sizeof *t->rows, compare_rows, NULL))
    return error_no_memory (err);
  t->nrows = n < most ? n : most;
  for (size_t i = 0; i < t->nrows; i++)
    t->many_objects |= t->rows[i].block->object && !object_is_executable (t->rows[i].block->object);

  for (size_t i = 0; i < t->nrows; i++)
    if (!block_row_describe (&t->rows[i], t->model))
      return error_no_memory (err);
  return true;
}

static bool
read_files (const struct arguments *a, const char *argv0, struct model *m, struct error *err)
{
  bool ok = model_read (m, a->program, a->profiles, a->nprofiles, SYMTAB_PARTS, err);
  warnings_print (argv0, &m->warnings);
  if (ok && !m->profile.has_executions)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET,
                      "no block counts in the profile (compile with -fplugin=bbprof to have them)");
  if (ok && a->edges && !m->edges.count)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET, "no counts of edges (they are in the sidecar beside the profile)");
  return ok;
}

static bool
print (const struct arguments *a, const struct block_table *t, struct error *err)
{
  (a->json ? blocks_emit_json : blocks_emit_text) (stdout, t);
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
  struct block_table table = { .program = a.program, .model = &model, .blocks = &blocks, .edges = a.edges };
  bool ok = read_files (&a, argv[0], &model, err)
            && blocks_build (&blocks, &model.objects, &model.symtab, &model.profile, err)
            && make_rows (&table, a.most, err) && print (&a, &table, err);
  for (size_t i = 0; i < table.nrows; i++)
    free (table.rows[i].function);
  free (table.rows);
  blocks_free (&blocks);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_blocks = { .name = "blocks", .help = "the basic blocks that ran most often", .run = run };
