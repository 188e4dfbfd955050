/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options -fplugin-arg-bbprof-KEY=VALUE.  Messages and the help text are made from one
   table. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/lists/lists.h"

struct bbp_options bbp_options = { true,
                                   false,
                                   BBP_ARCS_STATIC,
                                   BBP_UPDATE_THREAD,
                                   BBP_PLACEMENT_DEFAULT,
                                   BBP_AX_NONE,
                                   false,
                                   false,
                                   NULL,
                                   0,
                                   false };

/* The kind of value that follows the key of an option. */
enum kind {
  WORD,     /* = one of some words */
  OPTIONAL, /* the same, or nothing, which means the first one */
  NUMBER,   /* = a number, 0 or more */
  TEXT,     /* = any text but an empty one */
  FLAG      /* nothing */
};

struct value {
  int word;         /* WORD, OPTIONAL: index of the word */
  int number;       /* NUMBER */
  const char *text; /* TEXT */
};

static const struct row {
  const char *key;
  enum kind kind;
  /* WORD, OPTIONAL: all words, separated by |; else the value's name in the help text */
  const char *values;
  const char *help;
  bool (*set) (const struct value &); /* false: an error was printed */
} table[] = {
  { "blocks", WORD, "all|none|map",
    "count basic blocks (default: all), or only write down where they are, for bbprof export",
    [] (const struct value &v) {
      bbp_options.blocks = v.word != 1;
      bbp_options.map_only = v.word == 2;
      return true;
    } },
  { "arcs", WORD, "static|call|none",
    "with -pg, count calls: derived from the blocks (the default), or by calling mcount",
    [] (const struct value &v) {
      bbp_options.arcs = (enum bbp_arcs) v.word;
      return true;
    } },
  { "update", WORD, "thread|atomic|single",
    "counters for each thread (the default), shared by all, or for one thread only",
    [] (const struct value &v) {
      bbp_options.update = (enum bbp_update) v.word;
      return true;
    } },
  { "placement", WORD, "before|after",
    "call to mcount before or after the prologue (default: before)",
    [] (const struct value &v) {
      bbp_options.placement = v.word == 0 ? BBP_PLACEMENT_BEFORE : BBP_PLACEMENT_AFTER;
      return true;
    } },
  { "init", WORD, "constructor|entry",
    "register units in a constructor (the default), or at functions' entries",
    [] (const struct value &v) {
      bbp_options.init_entry = v.word == 1;
      return true;
    } },
  { "a", FLAG, "",
    "count as GCC 2.95 did: one counter for each block, for all threads (doc/reference/macros.md)",
    [] (const struct value &) { return bbp_options.a = true; } },
  { "ax", OPTIONAL, "lean|calls",
    "record jumps and traces, at trace points in the code or by the historic calls",
    [] (const struct value &v) {
      bbp_options.ax = (enum bbp_ax) (BBP_AX_LEAN + v.word);
      return true;
    } },
  { "macros", TEXT, "FILE", "your own macro set (doc/reference/macros.md)",
    [] (const struct value &v) {
      bbp_options.macros = v.text;
      return true;
    } },
  { "include", TEXT, "LIST",
    "instrument only functions that match a pattern of LIST (NAME, file:NAME, @FILE)",
    [] (const struct value &v) { return bbp_patterns_add (BBP_LIST_INCLUDE, v.text); } },
  { "exclude", TEXT, "LIST",
    "do not instrument functions that match a pattern of LIST; wins over include",
    [] (const struct value &v) { return bbp_patterns_add (BBP_LIST_EXCLUDE, v.text); } },
  { "min-size", NUMBER, "N",
    "do not instrument functions of fewer than N instructions without a loop (default: 0)",
    [] (const struct value &v) {
      bbp_options.min_size = v.number;
      return true;
    } },
  { "driver", FLAG, "", "set by GCC's driver, when it finds the plugin by its name",
    [] (const struct value &) { return true; } },
  { "verbose", FLAG, "",
    "report functions that are not instrumented, and why, and patterns without a match",
    [] (const struct value &) {
      bbp_options.verbose = true;
      return true;
    } },
};

const char *
bbp_options_help (void)
{
  char *help = xstrdup ("");
  for (const row &row : table)
    {
      bool optional = row.kind == OPTIONAL;
      char *option = concat ("-fplugin-arg-bbprof-", row.key,
                             row.kind == FLAG ? ""
                             : optional       ? "[="
                                              : "=",
                             row.values, optional ? "]" : "", NULL);
      char line[200];
      snprintf (line, sizeof line, "  %-42s %s\n", option, row.help);
      help = reconcat (help, help, line, NULL);
      free (option);
    }
  return help;
}

/* Builds a list for users: 'one', 'two' and 'three'.  Takes over the list so far.  LAST: no word
   follows. */
static char *
add_quoted (char *list, const char *word, bool last)
{
  return reconcat (list, list,
                   !*list ? ""
                   : last ? " and "
                          : ", ",
                   open_quote, word, close_quote, NULL);
}

/* The index of TEXT in WORDS, which are separated by |.  -1: not in it, and *VALID lists the
   words for users. */
static int
find_word (const char *words, const char *text, char **valid)
{
  char *copy = xstrdup (words);
  int found = -1, n = 0;
  *valid = xstrdup ("");
  for (char *rest = copy, *word = strsep (&rest, "|"); word; word = strsep (&rest, "|"), n++)
    {
      if (text && !strcmp (word, text))
        found = n;
      *valid = add_quoted (*valid, word, !rest);
    }
  free (copy);
  return found;
}

/* Digits only.  False: VALUE is something else or too large. */
static bool
read_number (const char *text, int *number)
{
  if (!text || !*text || strspn (text, "0123456789") != strlen (text))
    return false;
  unsigned long n = strtoul (text, NULL, 10);
  *number = (int) n;
  return n <= INT_MAX;
}

/* Reads TEXT behind the key as the row's kind of value.  Returns null, or what is wrong, in new
   memory. */
static char *
read_value (const row &row, const char *text, struct value *value)
{
  switch (row.kind)
    {
    case OPTIONAL:
      if (!text)
        return NULL;
      /* FALLTHRU */
      case WORD: {
        char *valid;
        value->word = find_word (row.values, text, &valid);
        char *wrong = value->word < 0 ? concat ("the valid values are ", valid, NULL) : NULL;
        free (valid);
        return wrong;
      }
    case NUMBER:
      return read_number (text, &value->number) ? NULL : xstrdup ("the value must be a number");
    case TEXT: value->text = text; return text && *text ? NULL : xstrdup ("a value is missing");
    case FLAG: return text ? xstrdup ("it takes no value") : NULL;
    }
  gcc_unreachable ();
}

static char *
valid_keys (void)
{
  char *valid = xstrdup ("");
  for (const row &row : table)
    {
      char *option = concat (row.key, row.kind == FLAG || row.kind == OPTIONAL ? "" : "=", NULL);
      valid = add_quoted (valid, option, &row == &table[ARRAY_SIZE (table) - 1]);
      free (option);
    }
  return valid;
}

/* By row of the table: was the option given? */
static bool given[ARRAY_SIZE (table)];

static bool
is_given (const char *key)
{
  for (const row &row : table)
    if (!strcmp (row.key, key))
      return given[&row - table];
  gcc_unreachable ();
}

static bool
read_one (const char *plugin, const char *key, const char *text)
{
  for (const row &row : table)
    if (!strcmp (row.key, key))
      {
        given[&row - table] = true;
        struct value value = {};
        char *wrong = read_value (row, text, &value);
        if (!wrong)
          return row.set (value);
        error ("%s: %<-fplugin-arg-%s-%s%s%s%>: %s", plugin, plugin, key, text ? "=" : "",
               text ? text : "", wrong);
        free (wrong);
        return false;
      }
  char *valid = valid_keys ();
  error ("%s: unknown option %<-fplugin-arg-%s-%s%>: the valid ones are %s", plugin, plugin, key,
         valid);
  free (valid);
  return false;
}

/* False, with an error, if OTHER is given, which KEY excludes. */
static bool
check_pair (const char *plugin, const char *key, const char *other)
{
  if (other)
    error ("%s: %<-fplugin-arg-%s-%s%> and %qs exclude each other", plugin, plugin, key, other);
  return !other;
}

/* A trace's points are among the built-in macro set's counters, and its first point is at a
   function's entry.  The historic calls may be the user's. */
static bool
check_ax (const char *plugin)
{
  return check_pair (plugin, "ax",
                     bbp_options.macros && bbp_options.ax == BBP_AX_LEAN ? "macros="
                     : !bbp_options.blocks                               ? "blocks=none"
                     : bbp_options.map_only                              ? "blocks=map"
                     : bbp_options.placement == BBP_PLACEMENT_AFTER      ? "placement=after"
                                                                         : NULL);
}

/* Not printed if the user chose an update, or writes the instructions. */
static void
note_plain_counters (const char *plugin)
{
  if (!is_given ("update") && !bbp_options.macros)
    inform (UNKNOWN_LOCATION,
            "%s: %<-fplugin-arg-%s-a%> counts exactly only with one thread (%<update=single%>); "
            "for several threads use %<update=atomic%>",
            plugin, plugin);
}

/* False, with an error, if an option is given that -a does not have.  Only the update can be
   chosen: all threads share one word for each block, incremented by plain instructions unless the
   user chooses atomic ones. */
static bool
check_a (const char *plugin)
{
  if (!check_pair (plugin, "a",
                   !bbp_options.blocks                                        ? "blocks=none"
                   : bbp_options.map_only                                     ? "blocks=map"
                   : is_given ("arcs") && bbp_options.arcs == BBP_ARCS_STATIC ? "arcs=static"
                   : is_given ("init") && !bbp_options.init_entry             ? "init=constructor"
                   : is_given ("update") && bbp_options.update == BBP_UPDATE_THREAD
                       ? "update=thread"
                       : NULL))
    return false;
  note_plain_counters (plugin);
  if (bbp_options.update == BBP_UPDATE_THREAD)
    bbp_options.update = BBP_UPDATE_SINGLE;
  return true;
}

/* A user's macro set decides how it counts, calls mcount by FUNCTION_PROFILER, and has no
   constructor. */
static bool
check_macros (const char *plugin)
{
  return check_pair (plugin, "macros",
                     is_given ("update")                                        ? "update="
                     : bbp_options.map_only                                     ? "blocks=map"
                     : is_given ("arcs") && bbp_options.arcs == BBP_ARCS_STATIC ? "arcs=static"
                     : is_given ("init") && !bbp_options.init_entry             ? "init=constructor"
                                                                                : NULL);
}

/* As in GCC 2.95, -ax wins over -a. */
static bool
check_together (const char *plugin)
{
  if (bbp_options.a && bbp_options.ax != BBP_AX_NONE)
    {
      warning (0, "%s: %<-fplugin-arg-%s-a%> has no effect beside %<-fplugin-arg-%s-ax%>", plugin,
               plugin, plugin);
      bbp_options.a = false;
    }
  return (!bbp_options.macros || check_macros (plugin))
         && (bbp_options.ax == BBP_AX_NONE || check_ax (plugin))
         && (!bbp_options.a || check_a (plugin));
}

bool
bbp_options_read (const plugin_name_args *args)
{
  for (int i = 0; i < args->argc; i++)
    if (!read_one (args->base_name, args->argv[i].key, args->argv[i].value))
      return false;
  return check_together (args->base_name);
}
