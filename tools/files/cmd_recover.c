/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof recover: profiles of processes that were killed. */
#include "config.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "recover/recover.h"
#include "tools/arguments/command_options.h"
#include "tools/command.h"

/* False: ERR says why not. */
static bool
recover (const char *name, const char *output, struct error *err)
{
  struct recovered recovered;
  switch (recover_file (name, output, &recovered, err))
    {
    case RECOVERY_DONE:
      printf ("%s: recovered into %s\n", visible (name), visible (recovered.profile));
      if (recovered.missing)
        printf ("%s: %" PRIu64 " parts had no room on the disk: counts are too low\n",
                visible (name), recovered.missing);
      return true;
    case RECOVERY_NOTHING:
      printf ("%s: the process had counted nothing\n", visible (name));
      return true;
    case RECOVERY_RUNS:
      printf ("%s: the process is still running, left alone\n", visible (name));
      return true;
    case RECOVERY_OLD:
      return error_set (err, name, ERROR_NO_OFFSET,
                        "there is a newer profile of another run; use -o FILE");
    case RECOVERY_FAILED: break;
    }
  return false;
}

/* Continues after a file that cannot be recovered.  The caller prints the last error. */
static enum command_result
recover_all (char *const *names, size_t n, const char *output, struct error *err)
{
  bool failed = false;
  for (size_t i = 0; i < n; i++)
    {
      struct error wrong;
      if (recover (names[i], output, &wrong))
        continue;
      if (failed)
        error_print ("bbprof recover", err);
      failed = true;
      *err = wrong;
    }
  return failed ? COMMAND_FAILED : COMMAND_DONE;
}

static enum command_result
recover_here (const char *output, struct error *err)
{
  static glob_t found; /* not freed: the error may name one of them */
  if (glob ("*.live", 0, NULL, &found) != 0)
    {
      puts ("no live files here");
      return COMMAND_DONE;
    }
  enum command_result result = COMMAND_USAGE;
  if (output && found.gl_pathc > 1)
    fputs ("bbprof recover: -o takes one live file, and here are several: name one\n", stderr);
  else
    {
      qsort (found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, recover_compare);
      result = recover_all (found.gl_pathv, found.gl_pathc, output, err);
    }
  return result;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct options o;
  const char *output = NULL;
  options_begin (&o, &command_recover, OPTIONS_ANYWHERE, argc, argv);
  for (int key; (key = options_next (&o)) != OPTION_END;)
    {
      if (key == OPTION_WRONG)
        return COMMAND_USAGE;
      output = o.value;
    }
  if (output && (!*output || strlen (output) >= RECOVER_PATH_SIZE))
    {
      fprintf (stderr, "%s: -o needs the name of a file\n", argv[0]);
      return COMMAND_USAGE;
    }
  if (optind == argc)
    return recover_here (output, err);
  if (output && argc - optind > 1)
    {
      fprintf (stderr, "%s: -o takes one live file\n", argv[0]);
      return COMMAND_USAGE;
    }
  return recover_all (argv + optind, (size_t) (argc - optind), output, err);
}

static const struct command_option options[] = {
  { 'o', "output", "FILE", "write the profile of one live file to FILE", NULL },
  END_OF_OPTIONS,
};

const struct command command_recover = {
  .name = "recover",
  .summary = "profiles of processes that were killed (live=1)",
  .group = GROUP_OTHER,
  .synopsis = "[option...] [FILE.live...]",
  .description
  = "Writes the profiles of processes that ran with BBPROF_OPTIONS=live=1 and were killed.  Each "
    "is written beside its live file, under the name that the process would have used; then the "
    "live file is removed.  Without names: all *.live files of the current folder.  Processes "
    "that still run are left alone.",
  .options = options,
  .run = run,
};
