/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bbprof timeline. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/arguments/command_options.h"
#include "tools/program/profile_program.h"
#include "tools/timeline/timeline_options.h"

enum { LEAST_COLUMNS = 30, MOST_COLUMNS = 10000, DEFAULT_ROWS = 40 };

enum { FROM = OPTION_OWN, TO, AROUND, CPUS, ASCII, WIDTH, SVG, HTML, CHROME, JSON };

const struct command_option timeline_option_table[] = {
  { 'p', "pid", "PID[,PID...]", "record processes that run already, from outside, into gmon.out",
    NULL },
  { 't', "time", "SECONDS", "with -p: for so long at most", NULL },
  { FROM, "from", "T",
    "begin at T: a time since the start (1.5, 200ms, 30us), a part of the run (25%) or a marker "
    "of the program (mark:TEXT)",
    NULL },
  { TO, "to", "T", "end at T", NULL },
  { AROUND, "around", "T[,SPAN]",
    "SPAN before T and after it (default: a twentieth of the run); T may be the text of a marker "
    "alone",
    NULL },
  THREADS_OPTION ("rows"),
  { OPTION_SORT, "sort", "ORDER", "birth (default); cpu or wait, the most first; name",
    "birth cpu wait name" },
  { CPUS, "cpus", NULL, "also show a row for each processor, with the threads that ran on it",
    NULL },
  { 'n', "number", "N", "show at most N rows, those that ran most (default 40); 0: all", NULL },
  { ASCII, "ascii", NULL, "use letters instead of block characters", NULL },
  { WIDTH, "width", "N", "use N columns (default: those of the terminal, or 100)", NULL },
  { SVG, "svg", "[FILE]", "write a picture", NULL },
  { HTML, "html", "[FILE]", "write an interactive page that works offline", NULL },
  { CHROME, "chrome", "[FILE]", "write JSON for ui.perfetto.dev and chrome://tracing", NULL },
  { JSON, "json", "[FILE]", "print JSON", NULL },
  { 'o', "output", "FILE", "write to FILE instead of standard output", NULL },
  COLOR_OPTION,
  NO_PAGER_OPTION,
  FORCE_OPTION,
  END_OF_OPTIONS,
};

static bool
take_number (const struct options *o, size_t least, size_t most, size_t *number, const char *what)
{
  unsigned long long value;
  if (!option_number (o->value, least, most, &value))
    return options_refuse (o, what);
  *number = (size_t) value;
  return true;
}

static bool
take_value (struct timeline_options *w, int key, const struct options *o)
{
  switch (key)
    {
    case 'p': w->pids = (char *) o->value; return true;
    case 't': w->seconds = (char *) o->value; return true;
    case FROM: w->choice.from = o->value; return true;
    case TO: w->choice.to = o->value; return true;
    case AROUND: w->choice.around = o->value; return true;
    case OPTION_THREADS: w->choice.threads = o->value; return true;
    case OPTION_SORT: w->choice.sort = (enum timeline_sort) o->choice; return true;
    case 'n': return take_number (o, 0, SIZE_MAX, &w->most, "a number of rows");
    case OPTION_COLOR: w->color = o->value; return true;
    case WIDTH:
      return take_number (o, LEAST_COLUMNS, MOST_COLUMNS, &w->columns,
                          "a number of columns from 30 to 10000");
    default: w->output = o->value; return true;
    }
}

/* False: the option has a value. */
static bool
take_switch (struct timeline_options *w, int key, const char *file)
{
  switch (key)
    {
    case CPUS: return w->by_cpu = true;
    case ASCII: return w->ascii = true;
    case OPTION_FORCE: return w->force = true;
    case OPTION_NO_PAGER: return w->no_pager = true;
    case SVG:
    case HTML:
    case CHROME:
    case JSON:
      w->forms |= 1u << (key - SVG + TIMELINE_SVG);
      w->files[key - SVG + TIMELINE_SVG] = file;
      return true;
    }
  return false;
}

/* True if NAME is a profile, or a file beside one, and not a program. */
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

/* The operands.  Null, or what is wrong with them. */
static const char *
take_names (struct timeline_options *w, int n, char **names, bool dashes)
{
  w->profile = "gmon.out";
  if (w->pids && n > 0)
    return "-p records processes that run already; leave out the names behind it, or -p";
  if (dashes && n > 0)
    w->argv = names;
  else if (n > 2)
    return "too many files: give PROGRAM and its profile; a program to run comes behind --";
  else if (n == 2 || (n == 1 && !is_profile (names[0])))
    {
      w->program = names[0];
      w->profile = n == 2 ? names[1] : w->profile;
    }
  else if (n == 1)
    w->profile = names[0];
  return dashes && n == 0 ? "which program?  Name it behind --: -- PROGRAM [argument...]" : NULL;
}

/* Null, or what is wrong with this combination of options. */
static const char *
contradiction (struct timeline_options *w)
{
  if (w->seconds && !w->pids)
    return "-t needs -p: a program that is started runs to its end";
  if (w->choice.around && (w->choice.from || w->choice.to))
    return "--around takes the place of --from and --to: leave those out";
  if (w->forms == 0)
    w->forms = 1u << TIMELINE_TEXT;
  if (w->output && (w->forms & (w->forms - 1)) != 0)
    return "-o takes one format; give each of several its own file: --svg=FILE";
  for (unsigned form = 0, plain = 0; form < TIMELINE_FORMS; form++)
    if (w->forms >> form & 1)
      {
        w->files[form] = w->files[form] ? w->files[form] : w->output;
        if (!w->files[form] && form != TIMELINE_TEXT && (w->argv || isatty (STDOUT_FILENO)))
          return "--svg, --html, --chrome and --json do not go to a terminal, nor between the "
                 "output "
                 "of a program: give a file (--svg=FILE)";
        plain += !w->files[form];
        if (plain > 1)
          return "only one format can go to standard output: give the others a file (--svg=FILE)";
      }
  return NULL;
}

bool
timeline_options_parse (struct timeline_options *w, const struct command *command, int argc,
                        char **argv)
{
  struct options o;
  int last = 1;
  *w = (struct timeline_options) { .most = DEFAULT_ROWS };
  options_begin (&o, command, OPTIONS_ANYWHERE, argc, argv);
  for (int key; (key = options_next (&o)) != OPTION_END;)
    {
      if (key == OPTION_WRONG || (!take_switch (w, key, o.value) && !take_value (w, key, &o)))
        return false;
      last = optind;
    }
  bool dashes = optind > last && strcmp (argv[optind - 1], "--") == 0;
  if (!dashes && !profile_comes_last (argv[0], argc - optind, argv + optind))
    return false;
  const char *why = take_names (w, argc - optind, argv + optind, dashes);
  why = why ? why : contradiction (w);
  if (why)
    fprintf (stderr, "%s: %s\n", argv[0], why);
  return !why;
}
