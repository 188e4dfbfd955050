/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <string.h>

#include "options.h"

/* Every option once: getopt's tables and the usage text are made from it. */
static const struct description {
  char letter;
  const char *name;
  const char *help;
} descriptions[] = {
  { 'b', "brief", "only the tables, without how to read them" },
  { 'p', "flat-profile", "the flat profile: functions by their own time" },
  { 'q', "graph", "the call graph and its index: time with callers and callees" },
  { 'h', "help", "this text" },
  { 'v', "version", "which bbprof-gprof this is" },
};

enum { NOPTIONS = sizeof descriptions / sizeof *descriptions };

static void
make_tables (char *letters, struct option *names)
{
  for (int i = 0; i < NOPTIONS; i++)
    {
      *letters++ = descriptions[i].letter;
      names[i] = (struct option) { .name = descriptions[i].name, .val = descriptions[i].letter };
    }
  *letters = '\0';
  names[NOPTIONS] = (struct option) { 0 };
}

/* One line about the option that getopt stumbled over. */
static void
complain (char **argv)
{
  const char *word = argv[optind - 1];
  if (optopt != 0 && strncmp (word, "--", 2) != 0)
    fprintf (stderr, "%s: unknown option -- %c\n", argv[0], optopt);
  else
    fprintf (stderr, "%s: unknown or unclear option, or one that takes no value: %s\n", argv[0], word);
}

enum options_fate
options_parse (struct options *o, int argc, char **argv)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  char letters[NOPTIONS + 1];
  struct option names[NOPTIONS + 1];
  int c;

  make_tables (letters, names);
  opterr = 0; /* the message comes from here */
  *o = (struct options) { .program = "a.out", .profiles = default_profiles, .nprofiles = 1 };
  while ((c = getopt_long (argc, argv, letters, names, NULL)) != -1)
    switch (c)
      {
      case 'b':
        o->brief = true;
        break;
      case 'p':
        o->flat = true;
        break;
      case 'q':
        o->graph = true;
        break;
      case 'h':
        return OPTIONS_HELP;
      case 'v':
        return OPTIONS_VERSION;
      default:
        complain (argv);
        return OPTIONS_WRONG;
      }
  if (optind < argc)
    o->program = argv[optind++];
  if (optind < argc)
    {
      o->profiles = argv + optind;
      o->nprofiles = argc - optind;
    }
  return OPTIONS_GO;
}

void
options_usage (FILE *out, const char *argv0)
{
  fprintf (out,
           "Usage: %s [option...] [program [gmon.out...]]\n"
           "Reports where PROGRAM spent its time, from the gmon.out files that it wrote.  Several files add up.\n"
           "Without names: a.out and gmon.out.  Without -p and -q: both, as far as the files have the data.\n"
           "\n",
           argv0);
  for (int i = 0; i < NOPTIONS; i++)
    fprintf (out, "  -%c, --%-14s %s\n", descriptions[i].letter, descriptions[i].name, descriptions[i].help);
}
