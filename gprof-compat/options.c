/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <string.h>

#include "options.h"

/* Every option once: getopt's tables and the usage text are made from it. */
static const struct description {
  char letter;
  const char *name;
  const char *help;
  bool glued; /* gprof takes what follows in the same word for a symbol: -pq is not -p -q */
} descriptions[] = {
  { 'b', "brief", "only the tables, without how to read them", false },
  { 'p', "flat-profile", "the flat profile: functions by their own time", true },
  { 'q', "graph", "the call graph and its index: time with callers and callees", true },
  { 'h', "help", "this text", false },
  { 'v', "version", "which bbprof-gprof this is", false },
};

enum { NOPTIONS = sizeof descriptions / sizeof *descriptions };

static void
make_tables (char *letters, struct option *names)
{
  for (int i = 0; i < NOPTIONS; i++)
    {
      const struct description *d = &descriptions[i];
      *letters++ = d->letter;
      if (d->glued)
        *letters++ = ':', *letters++ = ':';
      names[i] = (struct option) { .name = d->name,
                                   .val = d->letter,
                                   .has_arg = d->glued ? optional_argument : no_argument };
    }
  *letters = '\0';
  names[NOPTIONS] = (struct option) { 0 };
}

/* One line about the option that getopt stumbled over. */
static void
complain (char **argv)
{
  const char *word = argv[optind - 1];
  if (optopt != 0 && !(strncmp (word, "--", 2) == 0 && strchr (word, '=')))
    fprintf (stderr, "%s: unknown option -- %c\n", argv[0], optopt);
  else
    fprintf (stderr, "%s: unknown or unclear option, or one that takes no value: %s\n", argv[0], word);
}

enum options_fate
options_parse (struct options *o, int argc, char **argv)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  char letters[3 * NOPTIONS + 1];
  struct option names[NOPTIONS + 1];
  int c;

  make_tables (letters, names);
  opterr = 0; /* the message comes from here */
  *o = (struct options) { .program = "a.out", .profiles = default_profiles, .nprofiles = 1 };
  while ((c = getopt_long (argc, argv, letters, names, NULL)) != -1)
    switch (c)
      {
      case 'p':
      case 'q':
        if (optarg)
          {
            fprintf (stderr, "%s: -%c stands alone, without '%s' behind it\n", argv[0], c, optarg);
            return OPTIONS_WRONG;
          }
        *(c == 'p' ? &o->flat : &o->graph) = true;
        break;
      case 'b':
        o->brief = true;
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
