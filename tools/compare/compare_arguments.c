/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/compare/compare_arguments.h"
#include "tools/program/profile_program.h"

enum { DEFAULT_MOST = 20, RUNS_MOST = 10000 };

/* The list to which the next operands belong: a run set's, or the words. */
struct place {
  char ***words;
  int *n;
};

static bool
take_number (struct compare_arguments *a, const struct options *o)
{
  unsigned long long number;
  if (o->option->key == COMPARE_RUNS)
    {
      bool ok = option_number (o->value, 1, RUNS_MOST, &number);
      a->runs = ok ? (size_t) number : 0;
      return ok || options_refuse (o, "a number from 1 to 10000");
    }
  if (!option_number (o->value, 0, SIZE_MAX, &number))
    return options_refuse (o, "a number from 0 on");
  a->most = number ? (size_t) number : SIZE_MAX;
  return true;
}

static bool
take (struct compare_arguments *a, struct place *place, int key, const struct options *o)
{
  switch (key)
    {
    case OPTION_OPERAND: (*place->words)[(*place->n)++] = (char *) o->value; return true;
    case COMPARE_OLD: *place = (struct place) { &a->before, &a->nbefore }; return true;
    case COMPARE_NEW: *place = (struct place) { &a->now, &a->nnow }; return true;
    case OPTION_JSON: return a->json = true;
    case OPTION_FORCE: return a->force = true;
    case OPTION_NO_PAGER: return a->no_pager = true;
    case COMPARE_STRICT: return a->strict = true;
    case 'n':
    case COMPARE_RUNS: return take_number (a, o);
    case OPTION_FILTER: a->filter = o->value; return true;
    case OPTION_OBJECT: a->object = o->value; return true;
    case COMPARE_THRESHOLD: a->threshold = o->value; return true;
    case OPTION_SORT: a->sort = o->choice; return true;
    case OPTION_COLOR: a->colour = o->value; return true;
    case COMPARE_BUDGET: a->budget = o->value; return true;
    case COMPARE_JUNIT: a->junit = o->value; return true;
    case COMPARE_DIFF: return a->diff = true;
    case 'o': a->output = o->value; return true;
    case OPTION_THREADS: a->of_threads = o->value; return true;
    case ARGUMENT_FRAMES: a->frames = o->choice; return true;
    case ARGUMENT_NO_INLINES: return a->no_inlines = true;
    case ARGUMENT_SOURCE: a->source = o->choice; return true;
    case ARGUMENT_OPEN: return a->open = true;
    case 'I':
    case OPTION_PATH_MAP: return source_option (&a->places, o);
    case COMPARE_SAVE: a->save = o->value; return true;
    }
  return false;
}

bool
compare_arguments_parse (struct compare_arguments *a, const struct command *command, int argc,
                         char **argv)
{
  struct options o;
  struct place place = { &a->words, &a->nwords };
  *a = (struct compare_arguments) { .most = DEFAULT_MOST };
  a->words = calloc ((size_t) argc + 1, sizeof *a->words);
  a->before = calloc ((size_t) argc + 1, sizeof *a->before);
  a->now = calloc ((size_t) argc + 1, sizeof *a->now);
  if (!a->words || !a->before || !a->now)
    {
      fprintf (stderr, "%s: out of memory\n", argv[0]);
      return false;
    }
  options_begin (&o, command, OPTIONS_AMONG_OPERANDS, argc, argv);
  for (int key; (key = options_next (&o)) != OPTION_END;)
    if (!take (a, &place, key, &o))
      return false;
  if (a->runs > 0)
    {
      a->command = optind < argc ? argv + optind : NULL;
      return true;
    }
  while (optind < argc) /* operands behind -- */
    (*place.words)[(*place.n)++] = argv[optind++];
  return true;
}

/* OLD NEW: the sidecar of each names its program. */
static enum command_result
find_programs (struct compare_arguments *a, struct error *err)
{
  a->before[a->nbefore++] = profile_program (a->words[0], err);
  a->now[a->nnow++] = a->before[0] ? profile_program (a->words[1], err) : NULL;
  a->before[a->nbefore++] = a->words[0];
  a->now[a->nnow++] = a->words[1];
  return a->now[0] ? COMMAND_DONE : COMMAND_FAILED;
}

/* Two words that are not two profiles. */
static enum command_result
refuse_words (const struct compare_arguments *a, const char *name, struct error *err)
{
  bool first = profile_is_one (a->words[0]);
  const char *other = first ? a->words[1] : a->words[0];
  if (access (other, F_OK) == 0)
    {
      fprintf (stderr, "%s: %s: not a profile; a profile is missing: PROGRAM OLD NEW\n", name,
               visible (other));
      return COMMAND_USAGE;
    }
  error_set (err, other, ERROR_NO_OFFSET, "there is no such profile; name two: [PROGRAM] OLD NEW");
  return COMMAND_FAILED;
}

enum command_result
compare_arguments_sides (struct compare_arguments *a, const char *name, struct error *err)
{
  if (a->nbefore > 0 && a->nnow > 0 && a->nwords == 0)
    return COMMAND_DONE;
  if (a->nwords != 2 && !profile_comes_last (name, a->nwords, a->words))
    return COMMAND_USAGE;
  if (a->nbefore == 0 && a->nnow == 0 && a->nwords == 2 && profile_is_one (a->words[0])
      && profile_is_one (a->words[1]))
    return find_programs (a, err);
  if (a->nbefore == 0 && a->nnow == 0 && a->nwords == 2)
    return refuse_words (a, name, err);
  if (a->nbefore > 0 || a->nnow > 0 || a->nwords != 3)
    {
      fprintf (stderr,
               "%s: two profiles are needed: PROGRAM OLD NEW, or --old PROGRAM OLD --new PROGRAM "
               "NEW\n",
               name);
      return COMMAND_USAGE;
    }
  a->before[a->nbefore++] = a->now[a->nnow++] = a->words[0];
  a->before[a->nbefore++] = a->words[1];
  a->now[a->nnow++] = a->words[2];
  return COMMAND_DONE;
}

void
compare_arguments_free (struct compare_arguments *a)
{
  source_places_free (&a->places);
  free (a->words);
  free (a->before);
  free (a->now);
}
