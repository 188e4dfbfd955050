/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/compare/compare_arguments.h"

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

void
compare_arguments_free (struct compare_arguments *a)
{
  free (a->words);
  free (a->before);
  free (a->now);
}
