/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof merge: adds up profiles, exactly. */
#include "config.h"

#include <stdio.h>

#include "common/progress.h"
#include "model/sums/merge.h"
#include "tools/arguments/inputs.h"
#include "tools/arguments/command_options.h"
#include "tools/command.h"

struct merge_options {
  const char *output;
  bool skip_bad;
};

enum { SKIP_BAD = OPTION_OWN };

/* Adds all profiles of IN; *BAD: the number of those left out. */
static bool
add_all (struct merge *m, const struct inputs *in, const struct merge_options *o, const char *argv0,
         size_t *bad, struct error *err)
{
  struct progress progress;
  bool ok = true;
  progress_start (&progress, argv0, in->count);
  for (size_t i = 0; ok && i < in->count; i++)
    {
      if (!merge_add (m, in->names[i], err))
        {
          ok = o->skip_bad && err->file;
          if (ok)
            {
              progress_clear (&progress);
              error_print (argv0, err);
              ++*bad;
            }
          else if (err->file && in->count > 1)
            error_advise (err, "--skip-bad leaves it out");
        }
      progress_tell (&progress, i + 1);
    }
  progress_clear (&progress);
  return ok;
}

static bool
merge_all (const struct inputs *in, const struct merge_options *o, const char *argv0,
           struct error *err)
{
  struct merge m;
  size_t bad = 0;
  merge_init (&m);
  bool ok = add_all (&m, in, o, argv0, &bad, err);
  if (ok && bad > 0)
    fprintf (stderr, "%s: left out %zu of %zu profiles\n", argv0, bad, in->count);
  if (ok && bad == in->count)
    ok = error_set (err, o->output, ERROR_NO_OFFSET, "not written: there is nothing to add up");
  ok = ok && merge_write (&m, o->output, err);
  merge_free (&m);
  return ok;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  static struct inputs inputs; /* not freed: the error may name one of them */
  struct merge_options o = { .output = "gmon.sum" };
  struct options reader;
  options_begin (&reader, &command_merge, OPTIONS_ANYWHERE, argc, argv);
  for (int key; (key = options_next (&reader)) != OPTION_END;)
    switch (key)
      {
      case 'o': o.output = reader.value; break;
      case SKIP_BAD: o.skip_bad = true; break;
      default: return COMMAND_USAGE;
      }
  if (optind == argc)
    {
      fprintf (stderr, "%s: needs profiles: files, folders or @LIST\n", argv[0]);
      return COMMAND_USAGE;
    }
  for (; optind < argc; optind++)
    if (!inputs_add (&inputs, argv[optind], o.output, err))
      return COMMAND_FAILED;
  return merge_all (&inputs, &o, argv[0], err) ? COMMAND_DONE : COMMAND_FAILED;
}

static const struct command_option options[] = {
  { 'o', "output", "FILE", "write the sum to FILE (default: gmon.sum)", NULL },
  { SKIP_BAD, "skip-bad", NULL,
    "leave out profiles that cannot be used, and name them; otherwise nothing is written then",
    NULL },
  END_OF_OPTIONS,
};

const struct command command_merge = {
  .name = "merge",
  .summary = "add up profiles, exactly",
  .group = GROUP_COMPARE,
  .synopsis = "[option...] PROFILE...",
  .description
  = "Adds up profiles (gmon.out files) of one program with their sidecars, exactly: no count loses "
    "a digit, and the result is the same in any order, also of sums.  Every reporter reads it "
    "like a profile.\n\n"
    "PROFILE: a file; a folder: all profiles in it; @LIST: the names in the file LIST, one on each "
    "line.",
  .options = options,
  .run = run,
};
