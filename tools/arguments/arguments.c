/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/error.h"
#include "tools/arguments/arguments.h"
#include "tools/program/profile_program.h"

enum { DEFAULT_MOST = 20, DEFAULT_CALLERS = 5, DEFAULT_DEPTH = 40, DEPTH_MOST = 1000 };

/* The kind of an option's value, and the type of its field. */
enum kind {
  SWITCH,  /* none; bool */
  WORD,    /* const char * */
  CHOICE,  /* size_t: its index */
  NUMBER,  /* size_t; SIZE_MAX for 0 */
  PERCENT, /* double */
  PLACES,  /* struct source_places */
};

#define FIELD(name) offsetof (struct arguments, name)
static const struct form {
  int key;
  enum kind kind;
  size_t field;
} forms[] = {
  { 'n', NUMBER, FIELD (most) },
  { 'o', WORD, FIELD (output) },
  { 'I', PLACES, FIELD (places) },
  { OPTION_PATH_MAP, PLACES, FIELD (places) },
  { OPTION_JSON, SWITCH, FIELD (json) },
  { OPTION_FORCE, SWITCH, FIELD (force) },
  { OPTION_COLOR, WORD, FIELD (color) },
  { OPTION_NO_PAGER, SWITCH, FIELD (no_pager) },
  { OPTION_SORT, CHOICE, FIELD (sort) },
  { OPTION_FILTER, WORD, FIELD (filter) },
  { OPTION_OBJECT, WORD, FIELD (object) },
  { OPTION_THREADS, WORD, FIELD (threads) },
  { ARGUMENT_ASCII, SWITCH, FIELD (ascii) },
  { ARGUMENT_BY, CHOICE, FIELD (by) },
  { ARGUMENT_CALLERS, NUMBER, FIELD (callers) },
  { ARGUMENT_COST, WORD, FIELD (cost) },
  { ARGUMENT_COUNTS, SWITCH, FIELD (counts) },
  { ARGUMENT_DEPTH, NUMBER, FIELD (depth) },
  { ARGUMENT_EDGES, SWITCH, FIELD (edges) },
  { ARGUMENT_EXCLUDE_ABOVE, PERCENT, FIELD (exclude_above) },
  { ARGUMENT_FLAME, SWITCH, FIELD (flame) },
  { ARGUMENT_FORMAT, CHOICE, FIELD (format) },
  { ARGUMENT_FRAMES, CHOICE, FIELD (frames) },
  { ARGUMENT_FULL_NAMES, SWITCH, FIELD (full_names) },
  { ARGUMENT_GNU, SWITCH, FIELD (gnu) },
  { ARGUMENT_JUMPS, SWITCH, FIELD (jumps) },
  { ARGUMENT_MAP, WORD, FIELD (map) },
  { ARGUMENT_NO_CALLERS, SWITCH, FIELD (no_callers) },
  { ARGUMENT_NO_FOLD, SWITCH, FIELD (no_fold) },
  { ARGUMENT_NO_INLINES, SWITCH, FIELD (no_inlines) },
  { ARGUMENT_OPEN, SWITCH, FIELD (open) },
  { ARGUMENT_PLAIN, SWITCH, FIELD (plain) },
  { ARGUMENT_RANKS, CHOICE, FIELD (ranks) },
  { ARGUMENT_SEQUENCE, SWITCH, FIELD (sequence) },
  { ARGUMENT_SOURCE, CHOICE, FIELD (source) },
  { ARGUMENT_TRACE, WORD, FIELD (trace) },
  { ARGUMENT_TREE, SWITCH, FIELD (tree) },
  { ARGUMENT_WORDS, WORD, FIELD (words) },
};
enum { FORMS = sizeof forms / sizeof *forms };

static const struct form *
find_form (int key)
{
  const struct form *form = forms;
  while (form < forms + FORMS && form->key != key)
    form++;
  assert (form < forms + FORMS); /* each option of a command's table has a form */
  return form;
}

static bool
parse_number (const char *text, size_t *number)
{
  unsigned long long value;
  if (!option_number (text, 0, SIZE_MAX, &value))
    return false;
  *number = value == 0 ? SIZE_MAX : (size_t) value;
  return true;
}

/* Not negative. */
static bool
parse_percent (const char *text, double *percent)
{
  char *end;
  *percent = strtod (text, &end);
  if (*end == '%')
    end++;
  return end != text && *end == '\0' && *percent >= 0;
}

static bool
has_option (const struct command *command, int key)
{
  const struct command_option *option = command->options;
  while (option->name && option->key != key)
    option++;
  return option->name;
}

/* The first operand is the program unless it is a profile; then the profile names its program. */
static bool
take_program (struct arguments *a, int argc, char **argv, struct error *err)
{
  const char *profile = optind < argc ? argv[optind] : a->profiles[0];
  if (optind + 1 == argc && access (profile, F_OK) != 0)
    error_set (err, profile, ERROR_NO_OFFSET,
               "there is neither a program nor a profile of this name: [PROGRAM] [gmon.out...]");
  else if (optind < argc && !profile_is_one (profile))
    a->program = argv[optind++];
  else if (!a->program && profile_is_one (profile))
    a->program = profile_program (profile, err);
  else if (!a->program)
    error_set (
        err, profile, ERROR_NO_OFFSET,
        "there is no such profile; run the program first (bbprof record -- PROGRAM), or name one");
  return a->program;
}

/* PROGRAM and profiles; without them those of --counts of raw addresses have defaults. */
static enum command_result
take_files (struct arguments *a, const struct command *command, int argc, char **argv,
            struct error *err)
{
  static char *raw_profiles[] = { "prof.out", NULL };
  if (a->counts && has_option (command, ARGUMENT_WORDS))
    {
      a->program = "a.out";
      a->profiles = raw_profiles;
    }
  if (!profile_comes_last (argv[0], argc - optind, argv + optind))
    return COMMAND_USAGE;
  if (!take_program (a, argc, argv, err))
    return COMMAND_FAILED;
  if (optind < argc)
    {
      a->profiles = argv + optind;
      a->nprofiles = argc - optind;
    }
  return COMMAND_DONE;
}

static bool
take_option (struct arguments *a, const struct options *o)
{
  const struct form *form = find_form (o->option->key);
  void *field = (char *) a + form->field;
  switch (form->kind)
    {
    case NUMBER: return parse_number (o->value, field) || options_refuse (o, "a number from 0 on");
    case PERCENT: return parse_percent (o->value, field) || options_refuse (o, "a percentage");
    case WORD: *(const char **) field = o->value; return true;
    case PLACES: return source_option (field, o);
    case CHOICE: *(size_t *) field = o->choice; return true;
    default: return *(bool *) field = true;
    }
}

enum command_result
arguments_parse (struct arguments *a, const struct command *command, int argc, char **argv,
                 struct error *err)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  struct options o;
  *a = (struct arguments) { .profiles = default_profiles,
                            .nprofiles = 1,
                            .most = DEFAULT_MOST,
                            .callers = DEFAULT_CALLERS,
                            .depth = DEFAULT_DEPTH,
                            .format = SIZE_MAX,
                            .ranks = SIZE_MAX,
                            .by = SIZE_MAX,
                            .exclude_above = -1 };
  options_begin (&o, command, OPTIONS_ANYWHERE, argc, argv);
  for (int key; (key = options_next (&o)) != OPTION_END;)
    if (key == OPTION_WRONG || !take_option (a, &o))
      return COMMAND_USAGE;
  if (a->no_callers)
    a->callers = 0;
  if (a->depth > DEPTH_MOST)
    a->depth = DEPTH_MOST;
  return take_files (a, command, argc, argv, err);
}
