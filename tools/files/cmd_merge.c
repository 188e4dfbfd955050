/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof merge: many profiles become one, and nothing is lost. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>

#include "common/progress.h"
#include "model/sums/merge.h"
#include "tools/arguments/inputs.h"
#include "tools/command.h"

struct merge_options {
  const char *output;
  bool skip_bad;
};

static void
usage (void)
{
  fputs ("Usage: bbprof merge [-o FILE] [--skip-bad] PROFILE...\n"
         "Adds up profiles (gmon.out files) of one program with their sidecars, exactly: counts "
         "keep all their digits, and the result is the\n"
         "same in any order, also of sums.  Every reporter reads it like a profile.\n"
         "\n"
         "  PROFILE            a file; a folder: all profiles in it; @LIST: the names in the file "
         "LIST, one on each line\n"
         "  -o, --output FILE  the sum (gmon.sum)\n"
         "      --skip-bad     leave out profiles that cannot be used, and name them; without it "
         "nothing is written then\n"
         "  -h, --help         this text\n",
         stdout);
}

/* All of IN; *BAD: how many were left out. */
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
  static const struct option options[] = { { "output", required_argument, NULL, 'o' },
                                           { "skip-bad", no_argument, NULL, 's' },
                                           { "help", no_argument, NULL, 'h' },
                                           { 0 } };
  static struct inputs inputs; /* not freed: the error may name one of them */
  struct merge_options o = { .output = "gmon.sum" };
  int c;
  while ((c = getopt_long (argc, argv, "o:h", options, NULL)) != -1)
    switch (c)
      {
      case 'o': o.output = optarg; break;
      case 's': o.skip_bad = true; break;
      case 'h': usage (); return COMMAND_DONE;
      default: return COMMAND_USAGE;
      }
  if (optind == argc)
    {
      fprintf (stderr, "%s: which profiles?\n", argv[0]);
      return COMMAND_USAGE;
    }
  for (; optind < argc; optind++)
    if (!inputs_add (&inputs, argv[optind], o.output, err))
      return COMMAND_FAILED;
  return merge_all (&inputs, &o, argv[0], err) ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_merge
    = { .name = "merge", .help = "many profiles as one, nothing lost", .run = run };
