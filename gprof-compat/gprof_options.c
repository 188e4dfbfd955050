/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <libiberty/demangle.h>
#include <libiberty/libiberty.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/visible.h"
#include "gprof-compat/gprof_options.h"

/* The effect of an option. */
enum kind {
  SETS,    /* a bool */
  STYLE,   /* selects a style; its argument is added to a table */
  UNSTYLE, /* removes the style, unless there is an argument */
  SPEC,    /* adds its argument to one table, or two */
  OTHER,
};

/* Long options without a letter. */
enum { DEMANGLE = 256, NO_DEMANGLE, INLINE_FILES, GNU, FORCE };

#define FIELD(name) offsetof (struct options, name)

/* Each option once: getopt's tables and the usage text are made from this table. */
static const struct description {
  int letter;
  const char *name;     /* null: only a letter */
  const char *argument; /* in brackets: optional; null: none */
  enum kind kind;
  size_t what;                         /* SETS: offset of the bool; STYLE, UNSTYLE: the style */
  enum spec_table table, second_table; /* equal: only one */
  const char *help;
} descriptions[] = {
  { 'p', "flat-profile", "[SPEC]", STYLE, STYLE_FLAT, INCL_FLAT, INCL_FLAT,
    "the flat profile: functions by self time" },
  { 'P', "no-flat-profile", "[SPEC]", UNSTYLE, STYLE_FLAT, EXCL_FLAT, EXCL_FLAT,
    "no flat profile; with SPEC: without these functions" },
  { 'q', "graph", "[SPEC]", STYLE, STYLE_GRAPH, INCL_GRAPH, INCL_GRAPH,
    "the call graph and its index: times by caller and callee" },
  { 'B', NULL, NULL, STYLE, STYLE_GRAPH, INCL_GRAPH, INCL_GRAPH, "same as -q" },
  { 'Q', "no-graph", "[SPEC]", UNSTYLE, STYLE_GRAPH, EXCL_GRAPH, EXCL_GRAPH,
    "no call graph; with SPEC: without these functions" },
  { 'C', "exec-counts", "[SPEC]", STYLE, STYLE_COUNTS, INCL_EXEC, INCL_EXEC,
    "executions of functions, or of lines with -l" },
  { 'Z', "no-exec-counts", "[SPEC]", UNSTYLE, STYLE_COUNTS, EXCL_EXEC, EXCL_EXEC,
    "no executions; with SPEC: without these functions" },
  { 'A', "annotated-source", "[SPEC]", STYLE, STYLE_SOURCE, INCL_ANNO, INCL_ANNO,
    "annotated source: executions before each line" },
  { 'J', "no-annotated-source", "[SPEC]", UNSTYLE, STYLE_SOURCE, EXCL_ANNO, EXCL_ANNO,
    "no annotated source; with SPEC: without these functions" },
  { 'r', "function-ordering", NULL, STYLE, STYLE_FUNCTION_ORDER, INCL_GRAPH, INCL_GRAPH,
    "a link order of functions: callers beside callees" },
  { 'R', "file-ordering", "MAP", OTHER, 0, 0, 0,
    "a link order of object files; MAP: output of nm -o" },
  { 's', "sum", NULL, SETS, FIELD (sum), 0, 0, "write the sum of all profiles to gmon.sum" },
  { 'i', "file-info", NULL, SETS, FIELD (file_info), 0, 0,
    "only the numbers of records in the profiles, by kind" },
  { 'b', "brief", NULL, SETS, FIELD (brief), 0, 0, "only the tables, without explanations" },
  { 'T', "traditional", NULL, SETS, FIELD (traditional), 0, 0, "the layout of BSD's gprof" },
  { 'z', "display-unused-functions", NULL, SETS, FIELD (unused), 0, 0,
    "also functions without calls and time" },
  { 'l', "line", NULL, SETS, FIELD (lines), 0, 0, "by source lines instead of functions" },
  { 'a', "no-static", NULL, SETS, FIELD (no_static), 0, 0,
    "no static functions: the preceding function gets their data" },
  { 'D', "ignore-non-functions", NULL, SETS, FIELD (only_functions), 0, 0,
    "no static symbols that are not functions" },
  { 'c', "static-call-graph", NULL, SETS, FIELD (scan_code), 0, 0,
    "also calls in the machine code that were never executed" },
  { 'k', NULL, "FROM/TO", SPEC, 0, EXCL_ARCS, EXCL_ARCS, "ignore calls from FROM to TO" },
  { 'e', NULL, "SPEC", SPEC, 0, EXCL_GRAPH, EXCL_GRAPH, "no entry of the function in the graph" },
  { 'E', NULL, "SPEC", SPEC, 0, EXCL_GRAPH, EXCL_TIME, "like -e, and without its time" },
  { 'f', NULL, "SPEC", SPEC, 0, INCL_GRAPH, INCL_GRAPH,
    "only the function and its callees in the graph" },
  { 'F', NULL, "SPEC", SPEC, 0, INCL_GRAPH, INCL_TIME, "like -f, and only its time" },
  { 'n', "time", "SPEC", SPEC, 0, INCL_TIME, INCL_TIME,
    "pass only the function's time on to callers" },
  { 'N', "no-time", "SPEC", SPEC, 0, EXCL_TIME, EXCL_TIME, "do not pass the function's time on" },
  { 'x', "all-lines", NULL, SETS, FIELD (all_lines), 0, 0,
    "with -A: executions before each line of a block" },
  { 'y', "separate-files", NULL, SETS, FIELD (separate_files), 0, 0,
    "with -A: into files NAME-ann in this folder" },
  { 'm', "min-count", "N", OTHER, 0, 0, 0,
    "with -A: ##### before lines with fewer executions (1)" },
  { 't', "table-length", "N", OTHER, 0, 0, 0,
    "with -A: lines in the table of most executed lines (10)" },
  { 'I', "directory-path", "FOLDERS", OTHER, 0, 0, 0, "search sources there, separated by colons" },
  { 'L', "print-path", NULL, SETS, FIELD (full_paths), 0, 0, "show sources with their folders" },
  { INLINE_FILES, "inline-file-names", NULL, SETS, FIELD (inline_files), 0, 0,
    "show file and line behind each name" },
  { 'w', "width", "N", OTHER, 0, 0, 0, "columns of the index (80)" },
  { GNU, "gnu", NULL, SETS, FIELD (gnu), 0, 0,
    "GNU gprof's bytes; clones count for the preceding function" },
  { FORCE, "force", NULL, SETS, FIELD (force), 0, 0,
    "accept a profile of another build of the program" },
  { 'S', "external-symbol-table", "FILE", OTHER, 0, 0, 0,
    "read symbols from FILE, an output of nm" },
  { 'O', "file-format", "NAME", OTHER, 0, 0, 0,
    "format of the profiles: auto, magic, bsd, 4.4bsd" },
  { DEMANGLE, "demangle", "[STYLE]", OTHER, 0, 0, 0,
    "auto (default), gnu-v3, java, gnat, dlang, rust, none" },
  { NO_DEMANGLE, "no-demangle", NULL, OTHER, 0, 0, 0, "names as in the symbol table" },
  { 'd', "debug", "[N]", OTHER, 0, 0, 0, "ignored; accepted because gprof has it" },
  { 'h', "help", NULL, OTHER, 0, 0, 0, "this text" },
  { 'v', "version", NULL, OTHER, 0, 0, 0, "show the version" },
};

enum { NOPTIONS = sizeof descriptions / sizeof *descriptions };

static void
make_tables (char *letters, struct option *names)
{
  for (int i = 0; i < NOPTIONS; i++)
    {
      const struct description *d = &descriptions[i];
      int has_arg = !d->argument            ? no_argument
                    : d->argument[0] == '[' ? optional_argument
                                            : required_argument;
      if (d->letter < DEMANGLE)
        {
          *letters++ = (char) d->letter;
          /* One colon: the argument is required; two: it is optional. */
          for (int n = 0; n < has_arg; n++)
            *letters++ = ':';
        }
      if (d->name)
        *names++ = (struct option) { .name = d->name, .val = d->letter, .has_arg = has_arg };
    }
  *letters = '\0';
  *names = (struct option) { 0 };
}

static const struct description *
find_description (int letter)
{
  for (int i = 0; i < NOPTIONS; i++)
    if (descriptions[i].letter == letter)
      return &descriptions[i];
  return NULL;
}

static bool
add_spec (struct options *o, enum spec_table table, const char *word)
{
  struct spec_word *all = realloc (o->specs, (o->nspecs + 1) * sizeof *all);
  if (!all)
    return false;
  o->specs = all;
  all[o->nspecs++] = (struct spec_word) { table, word };
  return true;
}

/* The argument of the style option D.  With a slash it selects calls, if the style has any. */
static bool
add_style_spec (struct options *o, const struct description *d, const char *word)
{
  bool calls = d->what == STYLE_GRAPH && strchr (word, '/');
  return add_spec (o, !calls ? d->table : d->kind == STYLE ? INCL_ARCS : EXCL_ARCS, word);
}

/* Adds the folders in WORDS, separated by colons. */
static bool
add_folders (struct options *o, const char *words)
{
  for (size_t length; *words != '\0'; words += length + (words[length] == ':'))
    {
      length = strcspn (words, ":");
      if (length == 0)
        continue;
      char **all = realloc (o->source_dirs, (o->nsource_dirs + 1) * sizeof *all);
      if (!all)
        return false;
      o->source_dirs = all;
      if (!(all[o->nsource_dirs] = strndup (words, length)))
        return false;
      o->nsource_dirs++;
    }
  return true;
}

static bool
set_format (struct options *o, const char *name, const char *argv0)
{
  switch (*name)
    {
    case 'a': o->format = GMON_AUTO; return true;
    case 'm': o->format = GMON_MAGIC; return true;
    case 'b': o->format = GMON_BSD; return true;
    case '4': o->format = GMON_44BSD; return true;
    case 'p': fprintf (stderr, "%s: files of prof are not supported\n", argv0); return false;
    default: fprintf (stderr, "%s: unknown file format %s\n", argv0, visible (name)); return false;
    }
}

static bool
set_demangle_style (struct options *o, const char *style, const char *argv0)
{
  o->demangle = true;
  if (!style)
    return true;
  o->demangle_style = style;
  if (cplus_demangle_name_to_style (style) != unknown_demangling)
    return true;
  fprintf (stderr, "%s: unknown demangling style %s\n", argv0, visible (style));
  return false;
}

static bool
no_memory (const char *argv0)
{
  fprintf (stderr, "%s: out of memory\n", argv0);
  return false;
}

/* Options of the kind OTHER.  False: an error was printed on stderr. */
static bool
set_other (struct options *o, int letter, const char *word, const char *argv0)
{
  long n;
  switch (letter)
    {
    case 'I': return add_folders (o, word) || no_memory (argv0);
    case 'O': return set_format (o, word, argv0);
    case DEMANGLE: return set_demangle_style (o, word, argv0);
    case NO_DEMANGLE: o->demangle = false; break;
    case 'R':
      o->styles |= STYLE_FILE_ORDER;
      o->order_file = word;
      break;
    case 'S': o->symbols_file = word; break;
    case 'm': o->min_count = strtoul (word, NULL, 10); break;
    case 't':
      n = atoi (word);
      o->table_length = n < 0 ? 0 : (unsigned long) n;
      break;
    case 'w':
      n = atoi (word);
      o->width = n < 1 ? 1 : (int) n;
      break;
    }
  return true;
}

static bool
set (struct options *o, const struct description *d, const char *word, const char *argv0)
{
  switch (d->kind)
    {
    case SETS: *(bool *) ((char *) o + d->what) = true; return true;
    case UNSTYLE:
      if (!word)
        {
          o->styles &= ~(unsigned) d->what;
          o->no_styles |= (unsigned) d->what;
          return true;
        }
      /* fall through */
    case STYLE:
      o->styles |= (unsigned) d->what;
      return !word || add_style_spec (o, d, word) || no_memory (argv0);
    case SPEC:
      return (add_spec (o, d->table, word)
              && (d->second_table == d->table || add_spec (o, d->second_table, word)))
             || no_memory (argv0);
    default: return set_other (o, d->letter, word, argv0);
    }
}

/* BBPROF_GPROF=gnu means --gnu. */
static bool
read_environment (struct options *o, const char *argv0)
{
  const char *value = getenv ("BBPROF_GPROF");
  if (!value || *value == '\0')
    return true;
  if (strcmp (value, "gnu") == 0)
    return o->gnu = true;
  fprintf (stderr, "%s: BBPROF_GPROF in the environment is '%s'; use gnu, or unset it\n", argv0,
           value);
  return false;
}

/* Checks the options as a whole and sets what depends on several. */
static bool
finish (struct options *o, const char *argv0)
{
  if (!read_environment (o, argv0))
    return false;
  const char *folders = getenv ("GPROF_PATH");
  if (folders && !add_folders (o, folders))
    return no_memory (argv0);
  o->lines |= o->sum;
  o->demangle &= !o->traditional;
  if ((o->styles & STYLE_FUNCTION_ORDER) == 0 || (o->styles & STYLE_FILE_ORDER) == 0)
    return true;
  fprintf (stderr, "%s: -r and -R exclude each other\n", argv0);
  return false;
}

enum options_fate
options_parse (struct options *o, int argc, char **argv)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  char letters[3 * NOPTIONS + 1];
  struct option names[NOPTIONS + 1];
  int c;

  make_tables (letters, names);
  *o = (struct options) { .program = "a.out",
                          .profiles = default_profiles,
                          .nprofiles = 1,
                          .demangle = true,
                          .min_count = 1,
                          .table_length = 10,
                          .width = 80 };
  expandargv (&argc, &argv);
  while ((c = getopt_long (argc, argv, letters, names, NULL)) != -1)
    {
      const struct description *d = find_description (c);
      if (c == 'h')
        return OPTIONS_HELP;
      if (c == 'v')
        return OPTIONS_VERSION;
      if (!d)
        {
          visible_print (options_usage); /* getopt has printed the error */
          return OPTIONS_WRONG;
        }
      if (!set (o, d, optarg, argv[0]))
        return OPTIONS_WRONG;
    }
  if (optind < argc)
    o->program = argv[optind++];
  if (optind < argc)
    {
      o->profiles = argv + optind;
      o->nprofiles = argc - optind;
    }
  return finish (o, argv[0]) ? OPTIONS_GO : OPTIONS_WRONG;
}

void
options_free (struct options *o)
{
  for (size_t i = 0; i < o->nsource_dirs; i++)
    free (o->source_dirs[i]);
  free (o->source_dirs);
  free (o->specs);
}

void
options_usage (FILE *out)
{
  fprintf (out, "Usage: %s [option...] [program [gmon.out...]]\n", program_invocation_name);
  fputs ("Reports where PROGRAM spent its time, from the gmon.out files that it wrote.  Several "
         "files add up.\n",
         out);
  fputs ("Default names: a.out and gmon.out.  Default parts: flat profile and call graph, if the "
         "files have\n"
         "the data.  SPEC is FUNCTION, FILE, FILE:FUNCTION or FILE:LINE, or two of these with a "
         "slash\n"
         "for calls.\n",
         out);
  fputs ("\n", out);
  for (int i = 0; i < NOPTIONS; i++)
    {
      const struct description *d = &descriptions[i];
      char letter[8] = "    ", name[64] = "";
      const char *argument = d->argument ? d->argument : "";
      if (d->letter < DEMANGLE)
        snprintf (letter, sizeof letter, "-%c%s", d->letter, d->name ? ", " : "");
      if (d->name)
        snprintf (name, sizeof name, "--%s%s%s", d->name, d->argument ? "=" : "", argument);
      else
        snprintf (name, sizeof name, " %s", argument);
      fprintf (out, "  %s%-34s %s\n", letter, name, d->help);
    }
}
