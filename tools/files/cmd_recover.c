/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof recover: profiles of processes that were killed. */
#include "config.h"

#include <getopt.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "recover/recover.h"
#include "tools/command.h"

static void
usage (void)
{
  fputs ("Usage: bbprof recover [-o FILE] [FILE.live...]\n"
         "Writes the profiles of processes that ran with BBPROF_OPTIONS=live=1 and were killed, "
         "each beside its live file\n"
         "and under the name that the process would have given it; then removes the live file.\n"
         "Without names: all *.live of the current folder.  Processes that are still running are "
         "left alone.\n"
         "\n"
         "  -o, --output FILE  name of the profile, of one live file\n"
         "  -h, --help         this text\n",
         stdout);
}

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
                        "there is a newer profile of another run (-o says where to write)");
    case RECOVERY_FAILED: break;
    }
  return false;
}

/* Goes on after a file that cannot be recovered; the last error is for the caller to print. */
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
    fputs ("bbprof recover: -o is for one live file; which?\n", stderr);
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
  static const struct option options[]
      = { { "output", required_argument, NULL, 'o' }, { "help", no_argument, NULL, 'h' }, { 0 } };
  const char *output = NULL;
  int c;
  while ((c = getopt_long (argc, argv, "o:h", options, NULL)) != -1)
    switch (c)
      {
      case 'o': output = optarg; break;
      case 'h': usage (); return COMMAND_DONE;
      default: return COMMAND_USAGE;
      }
  if (output && (!*output || strlen (output) >= RECOVER_PATH_SIZE))
    {
      fprintf (stderr, "%s: -o wants the name of a file\n", argv[0]);
      return COMMAND_USAGE;
    }
  if (optind == argc)
    return recover_here (output, err);
  if (output && argc - optind > 1)
    {
      fprintf (stderr, "%s: -o is for one live file\n", argv[0]);
      return COMMAND_USAGE;
    }
  return recover_all (argv + optind, (size_t) (argc - optind), output, err);
}

const struct command command_recover
    = { .name = "recover", .help = "profiles of processes that were killed (live=1)", .run = run };
