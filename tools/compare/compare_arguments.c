/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/compare/compare_arguments.h"

enum { DEFAULT_MOST = 20 };

static const struct option all[]
    = { { "old", no_argument, NULL, 'O' },          { "new", no_argument, NULL, 'N' },
        { "json", no_argument, NULL, 'j' },         { "force", no_argument, NULL, 'F' },
        { "help", no_argument, NULL, 'h' },         { "number", required_argument, NULL, 'n' },
        { "filter", required_argument, NULL, 'f' }, { "threshold", required_argument, NULL, 't' },
        { "sort", required_argument, NULL, 's' },   { "color", required_argument, NULL, 'c' },
        { "budget", required_argument, NULL, 'b' }, { "junit", required_argument, NULL, 'u' },
        { "save", required_argument, NULL, 'w' },   { "runs", required_argument, NULL, 'r' },
        { "strict", no_argument, NULL, 'S' } };
enum {
  NALL = sizeof all / sizeof *all,
  RUNS_MOST = 10000,
  WORD = 1 /* getopt's value for operands */
};

/* Builds getopt's table of the options in TAKES. */
static void
make_table (const char *takes, struct option *names)
{
  for (int i = 0; i < NALL; i++)
    if (strchr ("ONjFh", all[i].val) || strchr (takes, all[i].val))
      *names++ = all[i];
  *names = (struct option) { 0 };
}

static bool
wrong (const char *name, const char *what, const char *value)
{
  fprintf (stderr, "%s: %s, not '%s'\n", name, what, visible (value));
  return false;
}

/* Of a program, one behind the other. */
static bool
parse_runs (struct compare_arguments *a, const char *name)
{
  char *end;
  unsigned long runs = strtoul (optarg, &end, 10);
  if (*optarg < '1' || *optarg > '9' || *end || runs > RUNS_MOST)
    return wrong (name, "--runs wants a number from 1 to 10000", optarg);
  a->runs = runs;
  return true;
}

static bool
parse_most (struct compare_arguments *a, const char *name)
{
  char *end;
  errno = 0;
  unsigned long most = strtoul (optarg, &end, 10);
  if (*optarg < '0' || *optarg > '9' || *end || errno)
    return wrong (name, "-n wants a number", optarg);
  a->most = most ? most : SIZE_MAX;
  return true;
}

/* The option to which the next operands belong, or none. */
struct place {
  char ***words;
  int *n;
};

static bool
take (struct compare_arguments *a, struct place *place, int c, const char *name)
{
  switch (c)
    {
    case WORD: (*place->words)[(*place->n)++] = optarg; break;
    case 'O': *place = (struct place) { &a->before, &a->nbefore }; break;
    case 'N': *place = (struct place) { &a->now, &a->nnow }; break;
    case 'j': a->json = true; break;
    case 'F': a->force = true; break;
    case 'h': a->help = true; break;
    case 'n': return parse_most (a, name);
    case 'f': a->filter = optarg; break;
    case 't': a->threshold = optarg; break;
    case 's': a->sort = optarg; break;
    case 'c': a->colour = optarg; break;
    case 'b': a->budget = optarg; break;
    case 'u': a->junit = optarg; break;
    case 'w': a->save = optarg; break;
    case 'r': return parse_runs (a, name);
    case 'S': a->strict = true; break;
    default: return false;
    }
  return true;
}

bool
compare_arguments_parse (struct compare_arguments *a, const char *takes, int argc, char **argv)
{
  struct option names[NALL + 1];
  struct place place = { &a->words, &a->nwords };
  const char *letters = strchr (takes, 'n') ? "-hn:" : "-h";
  int c;
  make_table (takes, names);
  *a = (struct compare_arguments) { .most = DEFAULT_MOST };
  a->words = calloc ((size_t) argc + 1, sizeof *a->words);
  a->before = calloc ((size_t) argc + 1, sizeof *a->before);
  a->now = calloc ((size_t) argc + 1, sizeof *a->now);
  if (!a->words || !a->before || !a->now)
    {
      fprintf (stderr, "%s: out of memory\n", argv[0]);
      return false;
    }
  while ((c = getopt_long (argc, argv, letters, names, NULL)) != -1)
    if (!take (a, &place, c, argv[0]))
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
