/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof annotate: source and machine code of a function, or of a file, with exact executions
   and sampled time. */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "model/open_counts.h"
#include "tools/annotate/annotate_emit.h"
#include "tools/arguments/source_option.h"
#include "tools/command.h"
#include "tools/program/profile_program.h"
#include "tools/view/pager.h"

struct wanted {
  const char *program, *what, *object, *color;
  char **profiles;
  int nprofiles;
  enum annotate_view view;
  size_t most; /* SIZE_MAX: all */
  bool json, no_pager, force;
  struct style style;
  struct source_places places;
};

/* The command line.  */

enum { BOTH = OPTION_OWN, SOURCE, ASM };

/* False: a line on stderr says what is wrong. */
static bool
take_number (struct wanted *w, const struct options *o)
{
  unsigned long long number;
  if (!option_number (o->value, 0, SIZE_MAX, &number))
    return options_refuse (o, "a number from 0 on");
  w->most = number ? (size_t) number : SIZE_MAX;
  return true;
}

/* One option; false: a line on stderr says what is wrong. */
static bool
take_option (struct wanted *w, int key, const struct options *o)
{
  switch (key)
    {
    case 'n': return take_number (w, o);
    case BOTH: w->view = VIEW_BOTH; return true;
    case SOURCE: w->view = VIEW_SOURCE; return true;
    case ASM: w->view = VIEW_ASM; return true;
    case 'I':
    case OPTION_PATH_MAP: return source_option (&w->places, o);
    case OPTION_OBJECT: w->object = o->value; return true;
    case OPTION_COLOR: w->color = o->value; return true;
    case OPTION_NO_PAGER: return w->no_pager = true;
    case OPTION_JSON: return w->json = true;
    case OPTION_FORCE: return w->force = true;
    }
  return false;
}

/* The operands: [PROGRAM] [WHAT [gmon.out...]], or profiles alone. */
static enum command_result
take_names (struct wanted *w, int argc, char **argv, struct error *err)
{
  bool profiles = optind < argc && profile_is_one (argv[optind]);
  if (optind < argc && !profiles
      && (profile_is_program (argv[optind]) || !profile_is_one (w->profiles[0])))
    w->program = argv[optind++];
  if (optind < argc && !profiles)
    w->what = argv[optind++];
  if (!profile_comes_last (argv[0], argc - optind, argv + optind))
    return COMMAND_USAGE;
  if (w->program && access (w->program, F_OK) != 0)
    {
      error_set (err, w->program, ERROR_NO_OFFSET,
                 "there is no such program: PROGRAM comes first, then FUNCTION and profiles");
      return COMMAND_FAILED;
    }
  for (int i = optind; i < argc; i++)
    if (access (argv[i], F_OK) != 0)
      {
        error_set (
            err, argv[i], ERROR_NO_OFFSET,
            "there is no such profile (annotate takes PROGRAM, one FUNCTION, then profiles)");
        return COMMAND_FAILED;
      }
  if (optind < argc)
    {
      w->profiles = argv + optind;
      w->nprofiles = argc - optind;
    }
  if (!w->program)
    w->program = profile_program (w->profiles[0], err);
  return w->program ? COMMAND_DONE : COMMAND_FAILED;
}

static enum command_result
parse (struct wanted *w, int argc, char **argv, struct error *err)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  struct options o;
  *w = (struct wanted) { .profiles = default_profiles, .nprofiles = 1, .most = SIZE_MAX };
  options_begin (&o, &command_annotate, OPTIONS_ANYWHERE, argc, argv);
  for (int key; (key = options_next (&o)) != OPTION_END;)
    if (key == OPTION_WRONG || !take_option (w, key, &o))
      return COMMAND_USAGE;
  style_choose (&w->style, w->color);
  return take_names (w, argc, argv, err);
}

/* The work.  */

static bool
print_page (const struct wanted *w, const struct annotation *a, struct source *source,
            struct error *err)
{
  char *text = NULL;
  size_t size = 0;
  FILE *page = open_memstream (&text, &size);
  if (page)
    annotate_emit_text (page, a, source, w->view, &w->style);
  bool ok = (page && fclose (page) == 0) || error_no_memory (err);
  ok = ok && pager_show (text, size, !w->no_pager, err);
  free (text);
  return ok;
}

static bool
print (const struct wanted *w, const struct annotation *a, struct error *err)
{
  struct source source = { .places = w->places };
  bool ok = w->json || print_page (w, a, &source, err);
  if (w->json)
    {
      annotate_emit_json (stdout, a, &source);
      ok = error_if_unwritten (stdout, err);
    }
  source_free (&source);
  return ok;
}

static bool
refuse_asm (const struct annotation *a, struct error *err)
{
  return error_set (err, NULL, ERROR_NO_OFFSET,
                    "%.100s is a function of %.20s, which has no instructions to show; leave out "
                    "--asm to see its lines",
                    a->pieces[0].name, a->pieces[0].symbol->object->path);
}

static enum command_result
show (const struct wanted *w, const char *argv0, struct error *err)
{
  struct model model = { 0 };
  struct blocks blocks = { 0 };
  struct found found = { 0 };
  struct annotation annotation = { 0 };
  bool ok = model_read_stacks (&model, w->program, w->profiles, w->nprofiles,
                               &(struct symtab_choice) { .parts = true, .any_build = w->force },
                               err);
  warnings_print_beside (argv0, &model.warnings, ok && !w->json);
  ok = ok && blocks_build (&blocks, &model.objects, &model.symtab, &model.profile, err);
  if (ok)
    open_blocks (&blocks, &model);
  ok = ok && annotate_find (&found, w->what, w->object, &model, &blocks, err)
       && annotate (&annotation, &model, &blocks, &found, err)
       && (w->view != VIEW_ASM || !annotation.lines_only || refuse_asm (&annotation, err))
       && (annotate_most (&annotation, w->most) || error_no_memory (err))
       && print (w, &annotation, err);
  annotate_free (&annotation);
  found_free (&found);
  blocks_free (&blocks);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct wanted wanted;
  enum command_result result = parse (&wanted, argc, argv, err);
  if (result == COMMAND_DONE)
    result = show (&wanted, argv[0], err);
  source_places_free (&wanted.places);
  return result;
}

static const struct command_option options[] = {
  { BOTH, "both", NULL, "show source lines, each followed by its instructions (default)", NULL },
  { SOURCE, "source", NULL, "show source only", NULL },
  { ASM, "asm", NULL, "show instructions in the order of their addresses, with source lines",
    NULL },
  SOURCE_PLACES_OPTIONS,
  { 'n', "number", "N",
    "show at most N lines (with --asm: instructions), those that have most time, else executions; "
    "0: all (default)",
    NULL },
  OBJECT_OPTION ("functions"),
  COLOR_OPTION,
  NO_PAGER_OPTION,
  OUTPUT_OPTION,
  FORCE_OPTION,
  JSON_OPTION,
  END_OF_OPTIONS,
};

const struct command command_annotate = {
  .name = "annotate",
  .summary = "source and machine code with executions and time",
  .group = GROUP_LOOK,
  .synopsis = "[option...] [PROGRAM] [WHAT [gmon.out...]]",
  .description
  = "Shows source and machine code of one function, or of all functions of a file: exact "
    "executions of each line, block and instruction, and the sampled time there.\n\n"
    "WHAT: a function (its name, a pattern, or its name without arguments); FILE:FUNCTION; a "
    "source file; an address as 0x...  Without WHAT: the function with counts that has most time, "
    "or, without counts, most samples.  Without PROGRAM: the one that the profile names.  Several "
    "profiles are added up.",
  .notes
  = "Columns: executions (##### for a line that never ran, - if unknown); seconds, and their share "
    "of what is shown; the line, or the address in the file.  Below a block: the blocks that "
    "followed it, with counts, and 'taken' if by the branch.",
  .options = options,
  .prints_page = true,
  .run = run,
};
