/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the options of a command by its table, with getopt, and says what is wrong. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/help.h"
#include "tools/arguments/command_options.h"
#include "tools/arguments/page_output.h"
#include "tools/arguments/similar_names.h"
#include "tools/arguments/thread_choice.h"

static bool
is_letter (int key)
{
  return key > ' ' && key < 127;
}

static int
argument_of (const struct command_option *option)
{
  if (!option->value)
    return no_argument;
  return *option->value == '[' ? optional_argument : required_argument;
}

void
options_begin (struct options *o, const struct command *command, enum options_order order, int argc,
               char **argv)
{
  static const char *const orders[] = {
    [OPTIONS_ANYWHERE] = "", [OPTIONS_BEFORE_OPERANDS] = "+", [OPTIONS_AMONG_OPERANDS] = "-"
  };
  *o = (struct options) { .command = command, .argc = argc, .argv = argv };
  char *letters = stpcpy (o->letters, orders[order]);
  struct option *name = o->names;
  letters = stpcpy (letters, ":h");
  *name++ = (struct option) { "help", no_argument, NULL, 'h' };
  for (const struct command_option *p = command->options; p && p->name; p++)
    {
      *name++ = (struct option) { p->name, argument_of (p), NULL, p->key };
      if (is_letter (p->key))
        {
          *letters++ = (char) p->key;
          letters = stpcpy (letters, p->value ? ":" : "");
        }
    }
  opterr = 0;
  optind = 0;
}

static const struct command_option *
find_option (const struct options *o, int key)
{
  for (const struct command_option *p = o->command->options; p && p->name; p++)
    if (p->key == key)
      return p;
  return NULL;
}

/* Unknown, or the beginning of several names. */
static void
complain_of_name (const struct options *o, const char *word)
{
  char name[64], sign = ':';
  snprintf (name, sizeof name, "%.*s", (int) strcspn (word + 2, "="), word + 2);
  struct similar_names similar = { .word = name };
  size_t begin = 0;
  for (const struct option *p = o->names; p->name; p++)
    begin += strncmp (p->name, name, strlen (name)) == 0;
  fprintf (stderr, "%s: %s option '--%s'", o->argv[0], begin > 1 ? "ambiguous" : "unknown",
           visible (name));
  for (const struct option *p = o->names; p->name; p++)
    if (begin > 1 && strncmp (p->name, name, strlen (name)) == 0)
      {
        fprintf (stderr, "%c --%s", sign, p->name);
        sign = ',';
      }
    else if (begin == 0)
      similar_names_consider (&similar, p->name, p->name, p->name);
  if (similar.count > 0)
    fprintf (stderr, "; did you mean '--%s'?", similar.names[0]);
  fputc ('\n', stderr);
  similar_names_free (&similar);
}

/* An unknown letter, or a long option with one dash. */
static void
complain_of_letter (const struct options *o)
{
  const char letter[] = { (char) optopt, '\0' };
  for (int i = 1; i < o->argc; i++)
    for (const struct option *p = o->names; p->name; p++)
      if (o->argv[i][0] == '-' && strcmp (o->argv[i] + 1, p->name) == 0 && *p->name == optopt)
        {
          fprintf (stderr, "%s: unknown option '-%s'; did you mean '--%s'?\n", o->argv[0], p->name,
                   p->name);
          return;
        }
  fprintf (stderr, "%s: unknown option '-%s'\n", o->argv[0], visible (letter));
}

/* Always false. */
static bool
ask_value (const char *argv0, const struct command_option *option)
{
  bool optional = *option->value == '[';
  fprintf (stderr, "%s: --%s needs a value: --%s=%.*s\n", argv0, option->name, option->name,
           (int) strlen (option->value) - 2 * optional, option->value + optional);
  return false;
}

static int
complain (const struct options *o, int error)
{
  const char *word = o->argv[optind - 1];
  const struct command_option *option = find_option (o, optopt);
  if (error == ':')
    ask_value (o->argv[0], option);
  else if (optopt == 0)
    complain_of_name (o, word);
  else if (option || optopt == 'h')
    fprintf (stderr, "%s: --%s takes no value\n", o->argv[0], option ? option->name : "help");
  else
    complain_of_letter (o);
  return OPTION_WRONG;
}

/* "auto, always or never" */
static void
list_choices (const char *choices, char *text, size_t size)
{
  size_t length = 0;
  for (const char *p = choices, *end; *p && length < size; p = *end ? end + 1 : end)
    {
      end = p + strcspn (p, " ");
      const char *before = p == choices ? "" : *end ? ", " : " or ";
      length
          += (size_t) snprintf (text + length, size - length, "%s%.*s", before, (int) (end - p), p);
    }
}

static bool
choose (struct options *o)
{
  size_t length = o->value ? strlen (o->value) : 0;
  if (o->value && length == 0)
    return ask_value (o->argv[0], o->option);
  o->choice = 0;
  if (!o->value) /* the first choice */
    return true;
  if (o->option->key == OPTION_THREADS && !thread_choice_is_list (o->value))
    return options_refuse (o, "a list of numbers, names or patterns (0,worker*)");
  for (const char *p = o->option->choices; p && *p; p += strspn (p, " "), o->choice++)
    {
      size_t word = strcspn (p, " ");
      if (word == length && memcmp (p, o->value, length) == 0)
        return true;
      p += word;
    }
  char text[200];
  if (!o->option->choices)
    return true;
  list_choices (o->option->choices, text, sizeof text);
  return options_refuse (o, text);
}

static _Noreturn void
print_help (const struct options *o)
{
  struct error err;
  help_print (stdout, o->command);
  if (error_if_unwritten (stdout, &err))
    exit (STATUS_DONE);
  error_print (o->argv[0], &err);
  exit (STATUS_FAILED);
}

static void
begin_page (const struct options *o)
{
  struct error err;
  if (page_output_begin (o->value, &err))
    return;
  error_print (o->argv[0], &err);
  exit (STATUS_FAILED);
}

int
options_next (struct options *o)
{
  int key = getopt_long (o->argc, o->argv, o->letters, o->names, NULL);
  o->value = optarg;
  if (key == OPTION_END || key == OPTION_OPERAND)
    return key;
  if (key == '?' || key == ':')
    return complain (o, key);
  if (key == 'h')
    print_help (o);
  o->option = find_option (o, key);
  if (key == 'o' && o->command->prints_page)
    {
      begin_page (o);
      return options_next (o);
    }
  return choose (o) ? key : OPTION_WRONG;
}

/* A number, but none that fits into 64 bits. */
static bool
is_too_large (const char *text)
{
  errno = 0;
  return text[strspn (text, "0123456789")] == '\0' && strtoull (text, NULL, 10) == ULLONG_MAX
         && errno == ERANGE;
}

bool
options_refuse (const struct options *o, const char *what)
{
  if (is_too_large (o->value))
    what = "below 2 to the power of 64";
  fprintf (stderr, "%s: --%s: '%s' is not %s\n", o->argv[0], o->option->name, visible (o->value),
           what);
  return false;
}

bool
option_number (const char *text, unsigned long long least, unsigned long long most,
               unsigned long long *number)
{
  char *end;
  errno = 0;
  *number = strtoull (text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *number >= least
         && *number <= most;
}
