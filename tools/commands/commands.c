/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of commands for --help, and the message for a first word that names no command. */
#include "config.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/visible.h"
#include "tools/arguments/help.h"
#include "tools/arguments/similar_names.h"
#include "tools/commands/commands.h"
#include "tools/program/profile_program.h"

enum { NAME_COLUMN = 13 };

const struct command *
commands_find (const char *name)
{
  for (const struct command *const *p = commands; *p; p++)
    if (strcmp (name, (*p)->name) == 0)
      return *p;
  return NULL;
}

void
commands_print (FILE *out)
{
  static const char *const titles[GROUPS] = { [GROUP_RECORD] = "Record",
                                              [GROUP_LOOK] = "Look",
                                              [GROUP_COMPARE] = "Compare",
                                              [GROUP_TRACE] = "Trace",
                                              [GROUP_OTHER] = "Other" };
  fputs ("Usage: bbprof COMMAND [option...] [argument...]\n"
         "Profiles programs: samples any program, and counts exactly in programs compiled with\n"
         "gcc -pg -fplugin=bbprof.  Both write a profile, gmon.out.\n",
         out);
  for (int group = 0; group < GROUPS; group++)
    {
      fprintf (out, "\n%s:\n", titles[group]);
      for (const struct command *const *p = commands; *p; p++)
        if ((int) (*p)->group == group)
          {
            fprintf (out, "  %-*s", NAME_COLUMN - 2, (*p)->name);
            help_fill (out, (*p)->summary, NAME_COLUMN);
          }
    }
  fputs ("\nbbprof COMMAND --help shows its options, bbprof help COMMAND its manual page.\n"
         "\n"
         "  -h, --help     print this text\n"
         "  -V, --version  print the version\n"
         "\n"
         "Exit status: 0 success; 1 an error in the data, or the answer is no; 2 wrong command\n"
         "line, or the answer is unknown.  Commands that run a program end with its status.\n"
         "\n"
         "Report bugs to " PACKAGE_BUGREPORT ".\n",
         out);
}

static bool
ends_with (const char *word, const char *end)
{
  size_t length = strlen (word), tail = strlen (end);
  return length > tail && strcmp (word + length - tail, end) == 0;
}

static bool
is_executable (const char *file)
{
  struct stat st;
  return stat (file, &st) == 0 && S_ISREG (st.st_mode) && access (file, X_OK) == 0;
}

/* Would a shell find this program? */
static bool
is_in_path (const char *name)
{
  char *path = strdup (getenv ("PATH") ? getenv ("PATH") : ""), *rest = path, *folder;
  bool found = false;
  while (path && !found && !strchr (name, '/') && (folder = strsep (&rest, ":")))
    {
      char *file = NULL;
      found = asprintf (&file, "%s/%s", folder, name) > 0 && is_executable (file);
      free (file);
    }
  free (path);
  return found;
}

/* Null: WORD is no file that a command reads or runs. */
static const char *
command_for (const char *word, char *const *arguments, const char **kind)
{
  if (access (word, F_OK) == 0 && ends_with (word, ".bbt"))
    return *kind = "trace", "trace";
  if (access (word, F_OK) == 0 && ends_with (word, ".live"))
    return *kind = "live file", "recover";
  if (profile_is_one (word))
    return *kind = "profile", "report";
  if (profile_is_program (word) || is_executable (word))
    return *kind = "program", *arguments && profile_is_one (*arguments) ? "report" : "run --";
  return NULL;
}

/* Commands by names that users of other profilers know. */
static const char *const known_elsewhere[][2]
    = { { "flame", "html" },    { "flamegraph", "html" }, { "script", "export" },
        { "stat", "report" },   { "hotspots", "report" }, { "coverage", "export --format=lcov" },
        { "list", "annotate" }, { "dump", "control" } };

static bool
suggest_name (const char *word)
{
  char lower[64]; /* REPORT means report */
  size_t length = 0;
  for (; length < sizeof lower - 1 && word[length]; length++)
    lower[length] = (char) tolower ((unsigned char) word[length]);
  lower[length] = '\0';
  for (size_t i = 0; i < sizeof known_elsewhere / sizeof *known_elsewhere; i++)
    if (strcmp (lower, known_elsewhere[i][0]) == 0)
      {
        fprintf (stderr, "bbprof: unknown command '%s'; see 'bbprof %s'\n", visible (word),
                 known_elsewhere[i][1]);
        return true;
      }
  struct similar_names similar = { .word = lower };
  static const char *const names[] = { "--help", "--version", NULL };
  for (const char *const *p = names; *p && *word == '-'; p++)
    similar_names_consider (&similar, *p, *p, *p);
  for (const struct command *const *p = commands; *p && *word != '-'; p++)
    similar_names_consider (&similar, (*p)->name, (*p)->name, (*p)->name);
  bool any = similar.count > 0;
  if (any)
    fprintf (stderr, "bbprof: unknown %s '%s'; did you mean '%s'?\n",
             *word == '-' ? "option" : "command", visible (word), similar.names[0]);
  similar_names_free (&similar);
  return any;
}

void
commands_explain (const char *word, char *const *arguments)
{
  const char *kind, *command = command_for (word, arguments, &kind);
  if (!command && suggest_name (word))
    return;
  if (!command && is_in_path (word))
    {
      kind = "program";
      command = "run --";
    }
  if (!command && *word == '-')
    {
      fprintf (stderr, "bbprof: unknown option '%s': options come behind a command\n",
               visible (word));
      return;
    }
  if (!command)
    {
      fprintf (stderr, "bbprof: unknown command '%s'\n", visible (word));
      return;
    }
  fprintf (stderr, "bbprof: '%s' is a %s, not a command; did you mean 'bbprof %s %s",
           visible (word), kind, command, visible (word));
  for (; *arguments; arguments++)
    fprintf (stderr, " %s", visible (*arguments));
  fputs ("'?\n", stderr);
}
