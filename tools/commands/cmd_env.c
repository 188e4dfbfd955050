/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof env: prints the settings that a shell needs to find what is installed below the prefix. */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/visible.h"
#include "tools/arguments/command_options.h"

static bool
is_same_folder (const char *a, const char *b)
{
  struct stat x, y;
  return strcmp (a, b) == 0
         || (stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev
             && x.st_ino == y.st_ino);
}

/* Is FOLDER in LIST, a variable with colons between?  Null: empty. */
static bool
has_folder (const char *list, const char *folder)
{
  char *copy = strdup (list ? list : ""), *rest = copy, *next;
  bool found = false;
  while (!found && copy && (next = strsep (&rest, ":")))
    found = *next && is_same_folder (next, folder);
  free (copy);
  return found;
}

/* The first line that COMMAND prints; "" if it fails. */
static void
read_line (const char *command, char *line, size_t size)
{
  FILE *pipe = popen (command, "r");
  if (!pipe || !fgets (line, (int) size, pipe))
    *line = '\0';
  line[strcspn (line, "\n")] = '\0';
  if (pipe)
    pclose (pipe);
}

/* Does gcc look in FOLDER by itself? */
static bool
gcc_has (const char *folder)
{
  char line[4096];
  read_line ("gcc -print-libgcc-file-name 2>/dev/null", line, sizeof line);
  char *slash = strrchr (line, '/');
  if (slash)
    *slash = '\0';
  return slash && is_same_folder (line, folder);
}

static bool
pkg_config_has (const char *folder)
{
  char line[4096];
  read_line ("pkg-config --variable pc_path pkg-config 2>/dev/null", line, sizeof line);
  return has_folder (line, folder);
}

/* man finds the pages beside a folder of programs that is in PATH, unless MANPATH is set. */
static bool
man_has (const char *folder)
{
  char beside[4096];
  snprintf (beside, sizeof beside, "%s/../share/man", BBP_BINDIR);
  return !getenv ("MANPATH") && is_same_folder (beside, folder);
}

/* FOLDER in front of VARIABLE.  An empty end of MANPATH stands for man's own folders. */
static void
print_setting (const char *variable, const char *folder, const char *end)
{
  printf ("export %s='", variable);
  for (; *folder; folder++)
    if (*folder == '\'')
      fputs ("'\\''", stdout);
    else
      putchar (*folder);
  printf ("'\"%s\"\n", end);
}

static bool
set (const char *variable, const char *folder, bool found, const char *end)
{
  if (found || has_folder (getenv (variable), folder))
    return false;
  print_setting (variable, folder, end);
  return true;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct options o;
  options_begin (&o, &command_env, OPTIONS_ANYWHERE, argc, argv);
  if (options_next (&o) != OPTION_END)
    return COMMAND_USAGE;
  if (optind < argc)
    {
      fprintf (stderr, "%s: unexpected argument '%s'\n", argv[0], visible (argv[optind]));
      return COMMAND_USAGE;
    }
  bool any = set ("PATH", BBP_BINDIR, false, "${PATH:+:$PATH}");
  any |= set ("MANPATH", BBP_MANDIR, man_has (BBP_MANDIR), ":${MANPATH-}");
  any |= set ("PKG_CONFIG_PATH", BBP_PKGCONFIGDIR, pkg_config_has (BBP_PKGCONFIGDIR),
              "${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}");
  any |= set ("LIBRARY_PATH", BBP_GCCDIR, gcc_has (BBP_GCCDIR), "${LIBRARY_PATH:+:$LIBRARY_PATH}");
  if (!any)
    puts ("# Nothing to set: everything below " BBP_PREFIX " is found.");
  return error_if_unwritten (stdout, err) ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_env = {
  .name = "env",
  .summary = "settings for an installation below your home folder",
  .group = GROUP_OTHER,
  .synopsis = "",
  .description
  = "Prints, for sh, the settings that make the installation below " BBP_PREFIX
    " found, and only those that are missing now.  Use: eval \"$(bbprof env)\"\n\n"
    "PATH: bbprof.  MANPATH: the manual pages.  PKG_CONFIG_PATH: pkg-config bbprof.  "
    "LIBRARY_PATH: gcc -fplugin=bbprof.so, and the run-time library; the same as gcc -B" BBP_GCCDIR
    "/ with each command.",
  .operands = OPERANDS_NONE,
  .run = run,
};
