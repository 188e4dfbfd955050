/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof blocks: the basic blocks that ran most often. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "blocks_emit.h"
#include "command.h"
#include "gmon_read.h"
#include "name.h"
#include "srcline.h"

struct settings {
  const char *program;
  char **profiles;
  int nprofiles;
  size_t most; /* rows */
  bool json;
  bool help;
};

static void
usage (void)
{
  fputs ("Usage: bbprof blocks [option...] PROGRAM [gmon.out...]\n"
         "Shows the basic blocks (straight pieces of machine code) of PROGRAM that ran most often.\n"
         "Without names of profiles: gmon.out.  Several add up.\n"
         "\n"
         "  -n, --number N   so many blocks at most; 0: all that ran (default 20)\n"
         "      --json       for programs: all numbers, whole file names\n"
         "  -h, --help       this text\n"
         "\n"
         "Columns: executions, exact; their share of the executions of all blocks; samples: how often the clock\n"
         "found the program in this block; the block's address, source line (if compiled with -g) and function.\n",
         stdout);
}

static bool
parse_number (const char *text, size_t *number)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull (text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value > SIZE_MAX)
    return false;
  *number = value == 0 ? SIZE_MAX : (size_t) value;
  return true;
}

static bool
parse (struct settings *s, int argc, char **argv)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  static const struct option options[] = { { "number", required_argument, NULL, 'n' },
                                           { "json", no_argument, NULL, 'j' },
                                           { "help", no_argument, NULL, 'h' },
                                           { 0 } };
  int c;
  *s = (struct settings) { .profiles = default_profiles, .nprofiles = 1, .most = 20 };
  while ((c = getopt_long (argc, argv, "n:h", options, NULL)) != -1)
    switch (c)
      {
      case 'n':
        if (!parse_number (optarg, &s->most))
          {
            fprintf (stderr, "%s: -n wants a number, not '%s'\n", argv[0], optarg);
            return false;
          }
        break;
      case 'j':
        s->json = true;
        break;
      case 'h':
        s->help = true;
        return true;
      default:
        return false;
      }
  if (optind == argc)
    {
      fprintf (stderr, "%s: which program?\n", argv[0]);
      return false;
    }
  s->program = argv[optind++];
  if (optind < argc)
    {
      s->profiles = argv + optind;
      s->nprofiles = argc - optind;
    }
  return true;
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
make_rows (struct block_table *t, const struct image *im, size_t most, struct error *err)
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
    {
      struct block_row *row = &t->rows[i];
      struct srcline line;
      if (srcline_find (im, row->block->start, &line))
        {
          row->file = line.file;
          row->line = line.line;
        }
      if (row->block->symbol)
        {
          row->function = name_demangle (im, row->block->symbol->name);
          if (!row->function && !(row->function = strdup (row->block->symbol->name)))
            return error_no_memory (err);
        }
    }
  return true;
}

static bool
read_files (const struct settings *s, struct image *im, struct symtab *t, struct profile *p, struct error *err)
{
  if (!image_open (im, s->program, err) || !symtab_load (t, im, SYMTAB_PARTS, err))
    return false;
  struct gmon_shape shape = gmon_shape_of (im);
  for (int i = 0; i < s->nprofiles; i++)
    if (!gmon_read (p, s->profiles[i], &shape, err))
      return false;
  if (!p->has_executions)
    return error_set (err, s->profiles[0], ERROR_NO_OFFSET,
                      "no block counts in the profile (compile with -fplugin=bbprof to have them)");
  return profile_finish (p) || error_no_memory (err);
}

static bool
print (const struct settings *s, const struct block_table *t, struct error *err)
{
  (s->json ? blocks_emit_json : blocks_emit_text) (stdout, t);
  if (fflush (stdout) == 0 && !ferror (stdout))
    return true;
  return error_set (err, NULL, ERROR_NO_OFFSET, "cannot write the report: %s", strerror (errno));
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct settings s;
  struct image image = { 0 };
  struct symtab symtab = { 0 };
  struct profile profile = { 0 };
  struct blocks blocks = { 0 };

  if (!parse (&s, argc, argv))
    return COMMAND_USAGE;
  if (s.help)
    {
      usage ();
      return COMMAND_DONE;
    }
  struct block_table table = { .program = s.program,
                               .profiles = s.profiles,
                               .nprofiles = s.nprofiles,
                               .profile = &profile,
                               .blocks = &blocks };
  bool ok = read_files (&s, &image, &symtab, &profile, err)
            && blocks_build (&blocks, &image, &symtab, &profile, err) && make_rows (&table, &image, s.most, err)
            && print (&s, &table, err);
  for (size_t i = 0; i < table.nrows; i++)
    free (table.rows[i].function);
  free (table.rows);
  blocks_free (&blocks);
  profile_free (&profile);
  symtab_free (&symtab);
  image_close (&image);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_blocks = { .name = "blocks", .help = "the basic blocks that ran most often", .run = run };
