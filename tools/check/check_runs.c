/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/array.h"
#include "tools/check/check_runs.h"
#include "tools/program/held_signals.h"
#include "tools/record/record.h"

/* In the child: adds the profile's name to the user's BBPROF_OPTIONS. */
static void
become (const char *program, char **command, const char *output)
{
  const char *options = getenv ("BBPROF_OPTIONS");
  char *all;
  int nowhere = open ("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2 (nowhere, STDOUT_FILENO);
  if (asprintf (&all, "%s%soutput=%s", options ? options : "", options && *options ? ":" : "",
                output)
      < 0)
    _exit (126);
  setenv ("BBPROF_OPTIONS", all, 1);
  held_signals_give_back ();
  execv (program, command);
  _exit (errno == ENOENT ? 127 : 126);
}

/* Waits for the child.  Passes the user's interrupt on to it, so that this process survives and
   removes the folder. */
static int
wait_for (pid_t child)
{
  int status = 0;
  while (waitpid (child, &status, WNOHANG) == 0)
    {
      int number = sigwaitinfo (held_signals (), NULL);
      if (number > 0 && number != SIGCHLD)
        kill (child, number);
    }
  return status;
}

static bool
run_once (const char *program, char **command, const char *output, struct error *err)
{
  pid_t child = fork ();
  if (child == 0)
    become (program, command, output);
  if (child < 0)
    return error_set (err, program, ERROR_NO_OFFSET, "cannot be run: %s", strerror (errno));
  int status = wait_for (child);
  if (WIFSIGNALED (status))
    return error_set (err, program, ERROR_NO_OFFSET,
                      "a run was killed by signal %d; its counts cannot be used",
                      WTERMSIG (status));
  return WEXITSTATUS (status) == 0
         || error_set (err, program, ERROR_NO_OFFSET,
                       "a run ended with status %d; its counts cannot be used",
                       WEXITSTATUS (status));
}

static bool
add_word (struct check_runs *r, const char *word)
{
  if (!array_grow (&r->words, (size_t) r->nwords, &r->room, sizeof *r->words))
    return false;
  r->words[r->nwords] = strdup (word);
  return r->words[r->nwords++] != NULL;
}

/* Is it the profile OUTPUT, or that of a forked child?  Other files (sidecars) are not. */
static bool
is_profile (const char *name, const char *output)
{
  const char *tail = name + strlen (output);
  return *tail == '\0' || (*tail == '.' && tail[1 + strspn (tail + 1, "0123456789")] == '\0');
}

static bool
add_profiles (struct check_runs *r, const char *output, struct error *err)
{
  char *pattern;
  glob_t found = { 0 };
  bool any = false;
  if (asprintf (&pattern, "%s*", output) < 0)
    return error_no_memory (err);
  bool ok = true;
  if (glob (pattern, GLOB_NOESCAPE, NULL, &found) == 0)
    for (size_t i = 0; ok && i < found.gl_pathc; i++)
      if (is_profile (found.gl_pathv[i], output))
        any = ok = add_word (r, found.gl_pathv[i]);
  globfree (&found);
  free (pattern);
  if (!ok)
    return error_no_memory (err);
  return any
         || error_set (err, r->words[0], ERROR_NO_OFFSET,
                       "it wrote no profile; compile it with -fplugin=bbprof, or profile it with "
                       "bbprof record -o FILE");
}

static bool
make_folder (struct check_runs *r, struct error *err)
{
  const char *where = getenv ("TMPDIR");
  if (asprintf (&r->folder, "%s/bbprof-check.XXXXXX", where && *where ? where : "/tmp") < 0)
    r->folder = NULL;
  if (!r->folder)
    return error_no_memory (err);
  if (mkdtemp (r->folder))
    return true;
  error_set (err, NULL, ERROR_NO_OFFSET, "%.120s: cannot make a folder there: %s", r->folder,
             strerror (errno));
  free (r->folder);
  r->folder = NULL;
  return false;
}

static bool
run_all (struct check_runs *r, char **command, size_t n, struct error *err)
{
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++)
    {
      char *output;
      if (asprintf (&output, "%s/%zu.out", r->folder, i) < 0)
        return error_no_memory (err);
      ok = run_once (r->words[0], command, output, err) && add_profiles (r, output, err);
      free (output);
    }
  return ok;
}

bool
check_runs_make (struct check_runs *r, char **command, size_t n, struct error *err)
{
  static const int numbers[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT };
  *r = (struct check_runs) { 0 };
  int status;
  const char *executed, *program = record_find_program (command[0], false, &executed, &status, err);
  if (!program)
    return false;
  held_signals_begin (numbers, sizeof numbers / sizeof *numbers);
  bool ok = (add_word (r, program) || error_no_memory (err)) && make_folder (r, err)
            && run_all (r, command, n, err);
  held_signals_give_back ();
  return ok;
}

static int
remove_one (const char *path, const struct stat *st, int kind, struct FTW *where)
{
  (void) st;
  (void) kind;
  (void) where;
  return remove (path);
}

void
check_runs_remove (struct check_runs *r)
{
  if (r->folder)
    nftw (r->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  free (r->folder);
  r->folder = NULL;
}
