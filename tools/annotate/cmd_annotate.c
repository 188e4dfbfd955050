/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof annotate: source and machine code of a function, or of a file, with exact executions
   and sampled time. */
#include "config.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/open_counts.h"
#include "tools/annotate/annotate_emit.h"
#include "tools/command.h"
#include "tools/program/profile_program.h"
#include "tools/view/pager.h"

struct wanted {
  const char *program, *what;
  char **profiles;
  int nprofiles;
  enum annotate_view view;
  bool json, help, no_pager, force;
  struct style style;
  const char **folders;
  struct source_map *maps;
  size_t nfolders, room_folders, nmaps, room_maps;
};

static void
usage (void)
{
  fputs (
      "Usage: bbprof annotate [option...] [PROGRAM] [WHAT [gmon.out...]]\n"
      "Shows source and machine code of one function, or of all functions of a file: how often "
      "each line, block and\n"
      "instruction ran, exactly, and the sampled time there.\n"
      "\n"
      "WHAT: the name of a function (also a pattern, or without its arguments); FILE:FUNCTION; a "
      "source file; 0x and an\n"
      "address.  Without it: the function with counters that has the most time, or, without "
      "counters, the most samples.  Without\n"
      "names of profiles: gmon.out.  Several add up.  Without PROGRAM: the one of the profile.\n"
      "\n"
      "      --both           source, below each line its instructions (default)\n"
      "      --source         source only\n"
      "      --asm            instructions in their own order, with the lines that they are from\n"
      "  -I, --source-dir DIR folder to look for the source in; may be repeated\n"
      "      --path-map FROM=TO  source files whose names begin with FROM lie below TO; may be "
      "repeated\n"
      "      --color WHEN     auto (default), always, never\n"
      "      --no-pager       on a terminal: all at once\n"
      "      --force          of another build of PROGRAM, too: functions and lines may be wrong\n"
      "      --json           for programs\n"
      "  -h, --help           this text\n"
      "\n"
      "Columns: executions (##### of a line that never ran, - if nobody knows); seconds, and their "
      "share of what is\n"
      "shown; the line, or the address in the file.  Below a block: where control went, how often, "
      "and whether that was by\n"
      "the branch (taken).\n",
      stdout);
}

/* The command line.  */

enum option_name { O_BOTH = 256, O_SOURCE, O_ASM, O_MAP, O_COLOR, O_NO_PAGER, O_JSON, O_FORCE };

static const struct option options[] = { { "both", no_argument, NULL, O_BOTH },
                                         { "source", no_argument, NULL, O_SOURCE },
                                         { "asm", no_argument, NULL, O_ASM },
                                         { "source-dir", required_argument, NULL, 'I' },
                                         { "path-map", required_argument, NULL, O_MAP },
                                         { "color", required_argument, NULL, O_COLOR },
                                         { "no-pager", no_argument, NULL, O_NO_PAGER },
                                         { "json", no_argument, NULL, O_JSON },
                                         { "force", no_argument, NULL, O_FORCE },
                                         { "help", no_argument, NULL, 'h' },
                                         { 0 } };

static bool
add_folder (struct wanted *w, const char *folder, struct error *err)
{
  if (!array_grow (&w->folders, w->nfolders, &w->room_folders, sizeof *w->folders))
    return error_no_memory (err);
  w->folders[w->nfolders++] = folder;
  return true;
}

/* Cuts TEXT, which lives as long as the command. */
static bool
add_map (struct wanted *w, char *text, struct error *err)
{
  char *equals = strchr (text, '=');
  if (!equals || equals == text)
    return error_set (err, NULL, ERROR_NO_OFFSET, "--path-map wants FROM=TO, not '%.60s'", text);
  if (!array_grow (&w->maps, w->nmaps, &w->room_maps, sizeof *w->maps))
    return error_no_memory (err);
  *equals = '\0';
  w->maps[w->nmaps++] = (struct source_map) { .from = text, .to = equals + 1 };
  return true;
}

/* One option; false: it is wrong. */
static bool
take_option (struct wanted *w, int option, struct error *err)
{
  switch (option)
    {
    case O_BOTH: w->view = VIEW_BOTH; return true;
    case O_SOURCE: w->view = VIEW_SOURCE; return true;
    case O_ASM: w->view = VIEW_ASM; return true;
    case 'I': return add_folder (w, optarg, err);
    case O_MAP: return add_map (w, optarg, err);
    case O_COLOR:
      return style_choose (&w->style, optarg)
             || error_set (err, NULL, ERROR_NO_OFFSET,
                           "--color is auto, always or never, not '%.60s'", optarg);
    case O_NO_PAGER: return w->no_pager = true;
    case O_JSON: return w->json = true;
    case O_FORCE: return w->force = true;
    case 'h': return w->help = true;
    }
  return false;
}

/* [PROGRAM] [WHAT [gmon.out...]], or profiles alone. */
static enum command_result
take_names (struct wanted *w, int argc, char **argv)
{
  struct error err;
  bool profiles = optind < argc && profile_is_one (argv[optind]);
  if (optind < argc && !profiles
      && (profile_is_program (argv[optind]) || !profile_is_one (w->profiles[0])))
    w->program = argv[optind++];
  if (optind < argc && !profiles)
    w->what = argv[optind++];
  if (optind < argc)
    {
      w->profiles = argv + optind;
      w->nprofiles = argc - optind;
    }
  if (w->program || (w->program = profile_program (w->profiles[0], &err)))
    return COMMAND_DONE;
  error_print (argv[0], &err);
  return COMMAND_USAGE;
}

static enum command_result
parse (struct wanted *w, int argc, char **argv)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  struct error err;
  int c;
  *w = (struct wanted) { .profiles = default_profiles, .nprofiles = 1 };
  style_choose (&w->style, NULL);
  while ((c = getopt_long (argc, argv, "I:h", options, NULL)) != -1)
    {
      if (c == '?')
        return COMMAND_USAGE;
      if (!take_option (w, c, &err))
        {
          error_print (argv[0], &err);
          return COMMAND_USAGE;
        }
    }
  if (w->help)
    return COMMAND_DONE;
  return take_names (w, argc, argv);
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
  struct source source
      = { .maps = w->maps, .nmaps = w->nmaps, .folders = w->folders, .nfolders = w->nfolders };
  bool ok = w->json || print_page (w, a, &source, err);
  if (w->json)
    {
      annotate_emit_json (stdout, a, &source);
      ok = error_if_unwritten (stdout, err);
    }
  source_free (&source);
  return ok;
}

static enum command_result
show (const struct wanted *w, const char *argv0, struct error *err)
{
  struct model model = { 0 };
  struct blocks blocks = { 0 };
  struct found found = { 0 };
  struct annotation annotation = { 0 };
  bool ok = model_read (&model, w->program, w->profiles, w->nprofiles,
                        &(struct symtab_choice) { .parts = true, .any_build = w->force }, err);
  warnings_print_beside (argv0, &model.warnings, ok && !w->json);
  ok = ok && blocks_build (&blocks, &model.objects, &model.symtab, &model.profile, err);
  if (ok)
    open_blocks (&blocks, &model);
  ok = ok && annotate_find (&found, w->what, &model, &blocks, err)
       && annotate (&annotation, &model, &blocks, &found, err) && print (w, &annotation, err);
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
  enum command_result result = parse (&wanted, argc, argv);
  if (result == COMMAND_DONE && wanted.help)
    usage ();
  else if (result == COMMAND_DONE)
    result = show (&wanted, argv[0], err);
  free (wanted.folders);
  free (wanted.maps);
  return result;
}

const struct command command_annotate = {
  .name = "annotate", .help = "source and machine code with executions and time", .run = run
};
