/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/visible.h"
#include "tools/timeline/timeline_options.h"

enum { LEAST_COLUMNS = 30, MOST_COLUMNS = 10000, DEFAULT_ROWS = 40 };

void
timeline_options_help (void)
{
  fputs (
      "Usage: bbprof timeline [option...] [PROGRAM] [gmon.out]\n"
      "       bbprof timeline [option...] -- PROGRAM [argument...]\n"
      "Shows which thread of a program ran when, which was ready and had no processor, which slept "
      "and why: of a run by\n"
      "bbprof record --timeline, or of PROGRAM, which is recorded so now.\n"
      "\n"
      "      --from T, --to T   between these: times since the start (1.5, 200ms, 30us), parts of "
      "the run (25%),\n"
      "                         marks that the program has set (mark:TEXT)\n"
      "      --around T[,SPAN]  SPAN before T and after it (default: a twentieth of the run); T "
      "may be a mark's TEXT alone\n"
      "      --threads LIST     these threads only: numbers, tids, names, patterns, with commas\n"
      "      --sort ORDER       birth (default); cpu, wait: the most first; name\n"
      "      --cpus             a row for each processor, too: who ran there\n"
      "  -n, --number N         so many rows at most, those that ran most; 0: all (default 40)\n"
      "      --ascii            letters instead of blocks\n"
      "      --color WHEN       auto (default: on a terminal, without NO_COLOR), always, never\n"
      "      --width N          so many columns (default: as the terminal has; 100)\n"
      "      --no-pager         on a terminal: print it, as if it were none\n"
      "      --svg[=FILE]       a picture\n"
      "      --html[=FILE]      a page to look around in; needs no net\n"
      "      --chrome[=FILE]    JSON for ui.perfetto.dev and chrome://tracing\n"
      "      --force            of another build of PROGRAM, too: functions and lines may be "
      "wrong\n"
      "      --json[=FILE]      for programs: all numbers\n"
      "  -o, --output FILE      there, and not on standard output\n"
      "  -h, --help             this text\n"
      "\n"
      "Status: 0; 1: bad data; 2: wrong command line; with -- PROGRAM its own.\n",
      stdout);
}

/* The command line.  */

enum {
  FROM = 256,
  TO,
  AROUND,
  THREADS,
  SORT,
  CPUS,
  ASCII,
  COLOR,
  WIDTH,
  NO_PAGER,
  SVG,
  HTML,
  CHROME,
  JSON,
  FORCE
};

static const struct option options[] = { { "from", required_argument, NULL, FROM },
                                         { "to", required_argument, NULL, TO },
                                         { "around", required_argument, NULL, AROUND },
                                         { "threads", required_argument, NULL, THREADS },
                                         { "sort", required_argument, NULL, SORT },
                                         { "cpus", no_argument, NULL, CPUS },
                                         { "number", required_argument, NULL, 'n' },
                                         { "ascii", no_argument, NULL, ASCII },
                                         { "color", required_argument, NULL, COLOR },
                                         { "width", required_argument, NULL, WIDTH },
                                         { "no-pager", no_argument, NULL, NO_PAGER },
                                         { "svg", optional_argument, NULL, SVG },
                                         { "html", optional_argument, NULL, HTML },
                                         { "chrome", optional_argument, NULL, CHROME },
                                         { "json", optional_argument, NULL, JSON },
                                         { "force", no_argument, NULL, FORCE },
                                         { "output", required_argument, NULL, 'o' },
                                         { "help", no_argument, NULL, 'h' },
                                         { 0 } };

static bool
complain (const char *argv0, const char *option, const char *wants, const char *value)
{
  fprintf (stderr, "%s: %s wants %s, not '%s'\n", argv0, option, wants, visible (value));
  return false;
}

static bool
parse_number (const char *text, size_t least, size_t most, size_t *number)
{
  char *end;
  errno = 0;
  *number = strtoul (text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *number >= least
         && *number <= most;
}

static bool
parse_sort (const char *text, enum timeline_sort *sort)
{
  static const char *const names[] = { [TIMELINE_BY_BIRTH] = "birth",
                                       [TIMELINE_BY_CPU] = "cpu",
                                       [TIMELINE_BY_WAIT] = "wait",
                                       [TIMELINE_BY_NAME] = "name" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (text, names[i]) == 0)
      {
        *sort = (enum timeline_sort) i;
        return true;
      }
  return false;
}

static bool
take_value (struct timeline_options *w, int option, const char *argv0)
{
  switch (option)
    {
    case FROM: w->choice.from = optarg; return true;
    case TO: w->choice.to = optarg; return true;
    case AROUND: w->choice.around = optarg; return true;
    case THREADS: w->choice.threads = optarg; return true;
    case SORT:
      return parse_sort (optarg, &w->choice.sort)
             || complain (argv0, "--sort", "birth, cpu, wait or name", optarg);
    case 'n':
      return parse_number (optarg, 0, SIZE_MAX, &w->most)
             || complain (argv0, "--number", "a number of rows", optarg);
    case COLOR: w->color = optarg; return true;
    case WIDTH:
      return parse_number (optarg, LEAST_COLUMNS, MOST_COLUMNS, &w->columns)
             || complain (argv0, "--width", "30 to 10000 columns", optarg);
    default: w->output = optarg; return true;
    }
}

/* False: it wants a value. */
static bool
take_switch (struct timeline_options *w, int option)
{
  switch (option)
    {
    case CPUS: return w->by_cpu = true;
    case ASCII: return w->ascii = true;
    case FORCE: return w->force = true;
    case NO_PAGER: return w->no_pager = true;
    case 'h': return w->help = true;
    case SVG:
    case HTML:
    case CHROME:
    case JSON:
      w->forms |= 1u << (option - SVG + TIMELINE_SVG);
      w->files[option - SVG + TIMELINE_SVG] = optarg;
      return true;
    }
  return false;
}

/* A profile, by its name or that of a file beside it: not a program. */
static bool
is_profile (char *name)
{
  char magic[4] = "";
  char *dot = strrchr (name, '.');
  if (dot && (strcmp (dot, ".bbs") == 0 || strcmp (dot, ".bbx") == 0))
    {
      *dot = '\0';
      return true;
    }
  FILE *file = fopen (name, "r");
  bool is = !file
            || (fread (magic, 1, sizeof magic, file) == sizeof magic
                && memcmp (magic, "gmon", sizeof magic) == 0);
  if (file)
    fclose (file);
  return is;
}

/* What is behind the options. */
static const char *
take_names (struct timeline_options *w, int n, char **names, bool dashes)
{
  w->profile = "gmon.out";
  if (dashes && n > 0)
    w->argv = names;
  else if (n > 2)
    return "a program and its profile; one that is to run comes behind --";
  else if (n == 2 || (n == 1 && !is_profile (names[0])))
    {
      w->program = names[0];
      w->profile = n == 2 ? names[1] : w->profile;
    }
  else if (n == 1)
    w->profile = names[0];
  return dashes && n == 0 ? "which program?" : NULL;
}

/* Null, or why what is asked for does not go together. */
static const char *
contradiction (struct timeline_options *w)
{
  if (w->choice.around && (w->choice.from || w->choice.to))
    return "--around is for itself, without --from and --to";
  if (w->forms == 0)
    w->forms = 1u << TIMELINE_TEXT;
  if (w->output && (w->forms & (w->forms - 1)) != 0)
    return "-o is for one format; of several each has its file: --svg=FILE";
  for (unsigned form = 0, plain = 0; form < TIMELINE_FORMS; form++)
    if (w->forms >> form & 1)
      {
        w->files[form] = w->files[form] ? w->files[form] : w->output;
        if (!w->files[form] && form != TIMELINE_TEXT && (w->argv || isatty (STDOUT_FILENO)))
          return "--svg, --html, --chrome and --json go to a file, -o FILE, or on: not to a "
                 "terminal, nor between a program's output";
        plain += !w->files[form];
        if (plain > 1)
          return "of several formats each has its file: --svg=FILE";
      }
  return NULL;
}

bool
timeline_options_parse (struct timeline_options *w, int argc, char **argv)
{
  int c, last = 1;
  *w = (struct timeline_options) { .most = DEFAULT_ROWS };
  while (!w->help && (c = getopt_long_only (argc, argv, "n:o:h", options, NULL)) != -1)
    {
      if (c == '?' || (!take_switch (w, c) && !take_value (w, c, argv[0])))
        return false;
      last = optind;
    }
  if (w->help)
    return true;
  const char *why = take_names (w, argc - optind, argv + optind,
                                optind > last && strcmp (argv[optind - 1], "--") == 0);
  why = why ? why : contradiction (w);
  if (why)
    fprintf (stderr, "%s: %s\n", argv[0], why);
  struct style style;
  return !why
         && (style_choose (&style, w->color)
             || complain (argv[0], "--color", "auto, always or never", w->color));
}
