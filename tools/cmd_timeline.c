/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof timeline: which thread ran when. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "pager.h"
#include "record.h"
#include "timeline_output.h"
#include "timeline_view.h"

enum { DEFAULT_COLUMNS = 100, LEAST_COLUMNS = 30, MOST_COLUMNS = 10000, DEFAULT_ROWS = 40 };

enum form { FORM_TEXT, FORM_SVG, FORM_HTML, FORM_CHROME, FORM_JSON, FORMS };
static timeline_emitter *const emitters[FORMS] = {
  [FORM_TEXT] = timeline_emit_text,
  [FORM_SVG] = timeline_emit_svg,
  [FORM_HTML] = timeline_emit_html,
  [FORM_CHROME] = timeline_emit_chrome,
  [FORM_JSON] = timeline_emit_json,
};

struct wanted {
  struct timeline_choice choice;
  bool by_cpu, ascii, no_pager, help;
  unsigned forms;           /* a bit for each that is asked for */
  const char *files[FORMS]; /* null: standard output */
  const char *output, *color;
  size_t most;              /* rows of text; 0: all */
  size_t columns;           /* 0: as the terminal has */
  const char *program, *profile;
  char **argv;              /* of a program that is to be recorded; null: none is */
};

static void
usage (void)
{
  fputs ("Usage: bbprof timeline [option...] [PROGRAM] [gmon.out]\n"
         "       bbprof timeline [option...] -- PROGRAM [argument...]\n"
         "Shows which thread of a program ran when, which was ready and had no processor, which slept and why: of a run by\n"
         "bbprof record --timeline, or of PROGRAM, which is recorded so now.\n"
         "\n"
         "      --from T, --to T   between these: times since the start (1.5, 200ms, 30us), parts of the run (25%),\n"
         "                         marks that the program has set (mark:TEXT)\n"
         "      --around T[,SPAN]  SPAN before T and after it (default: a twentieth of the run); T may be a mark's TEXT alone\n"
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
         "      --json[=FILE]      for programs: all numbers\n"
         "  -o, --output FILE      there, and not on standard output\n"
         "  -h, --help             this text\n"
         "\n"
         "Status: 0; 1: bad data; 2: wrong command line; with -- PROGRAM its own.\n",
         stdout);
}

/* The command line.  */

enum { FROM = 256, TO, AROUND, THREADS, SORT, CPUS, ASCII, COLOR, WIDTH, NO_PAGER, SVG, HTML, CHROME, JSON };

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
                                         { "output", required_argument, NULL, 'o' },
                                         { "help", no_argument, NULL, 'h' },
                                         { 0 } };

static bool
complain (const char *argv0, const char *option, const char *wants, const char *value)
{
  fprintf (stderr, "%s: %s wants %s, not '%s'\n", argv0, option, wants, value);
  return false;
}

static bool
parse_number (const char *text, size_t least, size_t most, size_t *number)
{
  char *end;
  errno = 0;
  *number = strtoul (text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *number >= least && *number <= most;
}

static bool
parse_sort (const char *text, enum timeline_sort *sort)
{
  static const char *const names[] = { [TIMELINE_BY_BIRTH] = "birth", [TIMELINE_BY_CPU] = "cpu", [TIMELINE_BY_WAIT] = "wait",
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
take_value (struct wanted *w, int option, const char *argv0)
{
  switch (option)
    {
    case FROM:
      w->choice.from = optarg;
      return true;
    case TO:
      w->choice.to = optarg;
      return true;
    case AROUND:
      w->choice.around = optarg;
      return true;
    case THREADS:
      w->choice.threads = optarg;
      return true;
    case SORT:
      return parse_sort (optarg, &w->choice.sort) || complain (argv0, "--sort", "birth, cpu, wait or name", optarg);
    case 'n':
      return parse_number (optarg, 0, SIZE_MAX, &w->most) || complain (argv0, "--number", "a number of rows", optarg);
    case COLOR:
      w->color = optarg;
      return true;
    case WIDTH:
      return parse_number (optarg, LEAST_COLUMNS, MOST_COLUMNS, &w->columns) || complain (argv0, "--width", "30 to 10000 columns", optarg);
    default:
      w->output = optarg;
      return true;
    }
}

/* False: it wants a value. */
static bool
take_switch (struct wanted *w, int option)
{
  switch (option)
    {
    case CPUS:
      return w->by_cpu = true;
    case ASCII:
      return w->ascii = true;
    case NO_PAGER:
      return w->no_pager = true;
    case 'h':
      return w->help = true;
    case SVG:
    case HTML:
    case CHROME:
    case JSON:
      w->forms |= 1u << (option - SVG + FORM_SVG);
      w->files[option - SVG + FORM_SVG] = optarg;
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
  bool is = !file || (fread (magic, 1, sizeof magic, file) == sizeof magic && memcmp (magic, "gmon", sizeof magic) == 0);
  if (file)
    fclose (file);
  return is;
}

/* What is behind the options. */
static const char *
take_names (struct wanted *w, int n, char **names, bool dashes)
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
contradiction (struct wanted *w)
{
  if (w->choice.around && (w->choice.from || w->choice.to))
    return "--around is for itself, without --from and --to";
  if (w->forms == 0)
    w->forms = 1u << FORM_TEXT;
  if (w->output && (w->forms & (w->forms - 1)) != 0)
    return "-o is for one format; of several each has its file: --svg=FILE";
  for (unsigned form = 0, plain = 0; form < FORMS; form++)
    if (w->forms >> form & 1)
      {
        w->files[form] = w->files[form] ? w->files[form] : w->output;
        if (!w->files[form] && form != FORM_TEXT && (w->argv || isatty (STDOUT_FILENO)))
          return "--svg, --html, --chrome and --json go to a file, -o FILE, or on: not to a terminal, nor between a program's output";
        plain += !w->files[form];
        if (plain > 1)
          return "of several formats each has its file: --svg=FILE";
      }
  return NULL;
}

static bool
parse (struct wanted *w, int argc, char **argv)
{
  int c, last = 1;
  *w = (struct wanted) { .most = DEFAULT_ROWS };
  while (!w->help && (c = getopt_long_only (argc, argv, "n:o:h", options, NULL)) != -1)
    {
      if (c == '?' || (!take_switch (w, c) && !take_value (w, c, argv[0])))
        return false;
      last = optind;
    }
  if (w->help)
    return true;
  const char *why = take_names (w, argc - optind, argv + optind, optind > last && strcmp (argv[optind - 1], "--") == 0);
  why = why ? why : contradiction (w);
  if (why)
    fprintf (stderr, "%s: %s\n", argv[0], why);
  struct style style;
  return !why && (style_choose (&style, w->color) || complain (argv[0], "--color", "auto, always or never", w->color));
}

/* Showing.  */

static struct style
choose_style (const struct wanted *w)
{
  struct style style;
  style_choose (&style, w->color);
  if (w->files[FORM_TEXT] && !(w->color && strcmp (w->color, "always") == 0))
    style.colour = false;
  style.columns = w->columns ? w->columns : style.columns && !w->files[FORM_TEXT] ? style.columns : DEFAULT_COLUMNS;
  return style;
}

static bool
show_text (const struct wanted *w, const struct timeline_view *v, struct error *err)
{
  char *text = NULL;
  size_t size;
  FILE *page = open_memstream (&text, &size);
  bool ok = page || error_no_memory (err);
  ok = ok && timeline_emit_text (page, v, err);
  if (page && fclose (page) != 0)
    ok = error_no_memory (err);
  ok = ok && pager_show (text, size, !w->no_pager, err);
  free (text);
  return ok;
}

static bool
show_form (const struct wanted *w, enum form form, const struct timeline_view *v, struct error *err)
{
  struct timeline_output o;
  if (form == FORM_TEXT && !w->files[form])
    return show_text (w, v, err);
  if (!timeline_output_open (&o, w->files[form], err))
    return false;
  bool ok = emitters[form] (o.out, v, err) && error_if_unwritten (o.out, err);
  if (!ok && !err->file)
    err->file = w->files[form];
  return timeline_output_close (&o, ok, err);
}

static bool
show (const struct wanted *w, const char *argv0, struct error *err)
{
  struct timeline t;
  struct timeline_view v = { .by_cpu = w->by_cpu, .ascii = w->ascii, .most = w->most, .style = choose_style (w) };
  bool ok = timeline_open (&t, w->profile, w->program, argv0, err) && timeline_view_make (&v, &t, &w->choice, err);
  for (unsigned form = 0; ok && form < FORMS; form++)
    if (w->forms >> form & 1)
      ok = show_form (w, form, &v, err);
  timeline_view_free (&v);
  timeline_close (&t);
  return ok;
}

/* Recording.  */

static struct wanted wanted; /* here, as record_command has no room for it */
static const char *name_of_command;

static void
show_recorded (const struct record_options *o)
{
  struct error err;
  char *program = record_program_of (o->output); /* null, if it was killed: no profile, but a timeline all the same */
  wanted.program = program;
  wanted.profile = o->output;
  if (!show (&wanted, name_of_command, &err))
    error_print (name_of_command, &err);
  free (program);
}

/* COUNT arguments, the first of which is the program. */
static enum command_result
record (char **arguments, int count, struct error *err)
{
  static char timeline[] = "--timeline", quiet[] = "--quiet", dashes[] = "--";
  char **argv = calloc ((size_t) count + 5, sizeof *argv);
  if (!argv)
    {
      error_no_memory (err);
      return COMMAND_FAILED;
    }
  argv[0] = (char *) name_of_command;
  argv[1] = timeline;
  argv[2] = quiet;
  argv[3] = dashes;
  memcpy (argv + 4, arguments, (size_t) count * sizeof *argv);
  optind = 0;
  enum command_result result = record_command (count + 4, argv, usage, show_recorded, err);
  free (argv);
  return result;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  if (!parse (&wanted, argc, argv))
    return COMMAND_USAGE;
  if (wanted.help)
    {
      usage ();
      return COMMAND_DONE;
    }
  name_of_command = argv[0];
  if (wanted.argv)
    return record (wanted.argv, argc - optind, err);
  return show (&wanted, argv[0], err) ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_timeline = { .name = "timeline", .help = "which thread ran when, which waited", .run = run };
