/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/program/profile_program.h"

enum { DEFAULT_MOST = 20, DEFAULT_CALLERS = 5, DEFAULT_DEPTH = 40, DEPTH_MOST = 1000 };

/* What an option's value is, and of which type the field is that takes it. */
enum kind {
  SWITCH, /* none; bool */
  WORD,   /* const char * */
  NUMBER, /* size_t; SIZE_MAX if 0 was said */
  PERCENT /* double */
};

#define FIELD(name) offsetof (struct arguments, name)
static const struct form {
  char key;       /* in TAKES */
  bool is_letter; /* on the command line, too */
  const char *name;
  enum kind kind;
  size_t field;
} forms[] = {
  { 'n', true, "number", NUMBER, FIELD (most) },
  { 'o', true, "output", WORD, FIELD (output) },
  { 'j', false, "json", SWITCH, FIELD (json) },
  { 'e', false, "edges", SWITCH, FIELD (edges) },
  { 'c', false, "cost", WORD, FIELD (cost) },
  { 'x', false, "exclude-above", PERCENT, FIELD (exclude_above) },
  { 'f', false, "function", WORD, FIELD (function) },
  { 's', false, "sort", WORD, FIELD (sort) },
  { 't', false, "trace", WORD, FIELD (trace) },
  { 'C', false, "counts", SWITCH, FIELD (counts) },
  { 'J', false, "jumps", SWITCH, FIELD (jumps) },
  { 'T', false, "trace", SWITCH, FIELD (sequence) },
  { 'P', false, "plain", SWITCH, FIELD (plain) },
  { 'F', false, "filter", WORD, FIELD (filter) },
  { 'O', false, "object", WORD, FIELD (object) },
  { 'W', false, "callers", NUMBER, FIELD (callers) },
  { 'N', false, "no-callers", SWITCH, FIELD (no_callers) },
  { 'K', false, "color", WORD, FIELD (color) },
  { 'U', false, "full-names", SWITCH, FIELD (full_names) },
  { 'G', false, "no-pager", SWITCH, FIELD (no_pager) },
  { 'R', false, "threads", WORD, FIELD (threads) },
  { 'E', false, "tree", SWITCH, FIELD (tree) },
  { 'D', false, "depth", NUMBER, FIELD (depth) },
  { 'I', false, "no-inlines", SWITCH, FIELD (no_inlines) },
  { 'L', false, "no-fold", SWITCH, FIELD (no_fold) },
  { 'Z', false, "words", WORD, FIELD (words) },
  { '!', false, "force", SWITCH, FIELD (force) },
  { 'g', false, "gnu", SWITCH, FIELD (gnu) },
  { 'h', true, "help", SWITCH, FIELD (help) },
};
enum { FORMS = sizeof forms / sizeof *forms };

/* getopt's tables of the options that TAKES has; the value of each is its place among the forms. */
static void
make_tables (const char *takes, char *letters, struct option *names)
{
  for (int i = 0; i < FORMS; i++)
    {
      const struct form *form = &forms[i];
      if (form->key != 'h' && form->key != '!' && !strchr (takes, form->key))
        continue;
      *names++ = (struct option) { form->name,
                                   form->kind == SWITCH ? no_argument : required_argument, NULL,
                                   i };
      if (!form->is_letter)
        continue;
      *letters++ = form->key;
      if (form->kind != SWITCH)
        *letters++ = ':';
    }
  *names = (struct option) { 0 };
  *letters = '\0';
}

/* What getopt has found; null: nothing that there is. */
static const struct form *
find_form (int found)
{
  if (found >= 0 && found < FORMS)
    return &forms[found];
  for (int i = 0; i < FORMS; i++)
    if (forms[i].is_letter && forms[i].key == found)
      return &forms[i];
  return NULL;
}

static bool
parse_number (const char *text, size_t *number)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull (text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value > SIZE_MAX)
    return false;
  *number = value == 0 ? SIZE_MAX : (size_t) value;
  return true;
}

/* Not negative. */
static bool
parse_percent (const char *text, double *percent)
{
  char *end;
  *percent = strtod (text, &end);
  if (*end == '%')
    end++;
  return end != text && *end == '\0' && *percent >= 0;
}

/* What stands first is no profile, or the program is that of which the first profile is. */
static bool
take_program (struct arguments *a, int argc, char **argv)
{
  const char *profile = optind < argc ? argv[optind] : a->profiles[0];
  struct error err;
  if (optind < argc && !profile_is_one (profile))
    a->program = argv[optind++];
  else if (!a->program && profile_is_one (profile))
    a->program = profile_program (profile, &err);
  else if (!a->program)
    error_set (
        &err, profile, ERROR_NO_OFFSET,
        "there is no such profile; run the program first (bbprof record -- PROGRAM), or name one");
  if (!a->program)
    error_print (argv[0], &err);
  return a->program;
}

/* PROGRAM and profiles, which --counts of raw addresses has a name for. */
static bool
take_files (struct arguments *a, const char *takes, int argc, char **argv)
{
  static char *raw_profiles[] = { "prof.out", NULL };
  if (a->counts && strchr (takes, 'Z'))
    {
      a->program = "a.out";
      a->profiles = raw_profiles;
    }
  if (!take_program (a, argc, argv))
    return false;
  if (optind < argc)
    {
      a->profiles = argv + optind;
      a->nprofiles = argc - optind;
    }
  return true;
}

static bool
complain (const char *argv0, const struct form *form, const char *wants, const char *value)
{
  fprintf (stderr, "%s: --%s wants %s, not '%s'\n", argv0, form->name, wants, visible (value));
  return false;
}

static bool
take_option (struct arguments *a, const struct form *form, const char *argv0, const char *value)
{
  void *field = (char *) a + form->field;
  switch (form->kind)
    {
    case NUMBER: return parse_number (value, field) || complain (argv0, form, "a number", value);
    case PERCENT:
      return parse_percent (value, field) || complain (argv0, form, "a percentage", value);
    case WORD: *(const char **) field = value; return true;
    default: *(bool *) field = true; return true;
    }
}

bool
arguments_parse (struct arguments *a, const char *takes, int argc, char **argv)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  char letters[2 * FORMS + 1];
  struct option names[FORMS + 1];
  int c;
  make_tables (takes, letters, names);
  *a = (struct arguments) { .profiles = default_profiles,
                            .nprofiles = 1,
                            .most = DEFAULT_MOST,
                            .callers = DEFAULT_CALLERS,
                            .depth = DEFAULT_DEPTH,
                            .exclude_above = -1 };
  while (!a->help && (c = getopt_long (argc, argv, letters, names, NULL)) != -1)
    {
      const struct form *form = c == '?' ? NULL : find_form (c);
      if (!form || !take_option (a, form, argv[0], optarg))
        return false;
    }
  if (a->no_callers)
    a->callers = 0;
  if (a->depth > DEPTH_MOST)
    a->depth = DEPTH_MOST;
  return a->help || take_files (a, takes, argc, argv);
}
