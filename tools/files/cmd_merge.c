/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof merge: adds up profiles, exactly. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/array.h"
#include "common/progress.h"
#include "model/sums/merge.h"
#include "tools/arguments/inputs.h"
#include "tools/arguments/command_options.h"
#include "tools/builds/joins.h"
#include "tools/command.h"
#include "tools/files/merge_ranks.h"

struct merge_options {
  const char *output;
  bool skip_bad;
  const char *mpi; /* null: this process does it all */
  bool across_builds;
  const char **builds; /* programs */
  size_t nbuilds, room_builds;
};

enum { SKIP_BAD = OPTION_OWN, MPI, ACROSS_BUILDS, BUILD };

/* The profiles of a process: all, or those of a rank of several. */
struct share {
  const struct inputs *in;
  size_t first, step;
};

static size_t
count_share (const struct share *s)
{
  return s->in->count > s->first ? (s->in->count - s->first - 1) / s->step + 1 : 0;
}

/* Adds all profiles of the share; *BAD: the number of those left out. */
static bool
add_all (struct merge *m, const struct share *s, const struct merge_options *o, const char *argv0,
         size_t *bad, struct error *err)
{
  const struct inputs *in = s->in;
  struct progress progress;
  bool ok = true;
  progress_start (&progress, argv0, in->count);
  for (size_t i = s->first; ok && i < in->count; i += s->step)
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

/* Chooses the build of the first profile, which may be in another rank's share. */
static bool
choose_build (struct merge *m, const struct share *s, const struct merge_options *o,
              struct error *err)
{
  for (size_t i = 0; i < s->in->count && !merge_has_build (m); i++)
    if (!merge_choose (m, s->in->names[i], err) && !(o->skip_bad && err->file))
      return false;
  return true;
}

/* Writes the sum of the share to the file OUTPUT. */
static bool
merge_share (const struct share *s, const struct merge_options *o, const char *output,
             const char *argv0, struct error *err)
{
  struct merge m;
  size_t bad = 0;
  struct joins *joins = o->across_builds ? joins_new (o->builds, o->nbuilds) : NULL;
  if (o->across_builds && !joins)
    return error_no_memory (err);
  merge_init (&m);
  m.joiner = joins ? joins_joiner (joins) : NULL;
  bool ok = (!joins || choose_build (&m, s, o, err)) && add_all (&m, s, o, argv0, &bad, err);
  if (ok && bad > 0)
    fprintf (stderr, "%s: left out %zu of %zu profiles\n", argv0, bad, count_share (s));
  if (ok && bad == count_share (s))
    ok = error_set (err, output, ERROR_NO_OFFSET, "not written: there is nothing to add up");
  ok = ok && merge_write (&m, output, err)
       && (!joins || joins_tell (joins, argv0) || error_no_memory (err));
  merge_free (&m);
  joins_free (joins);
  return ok;
}

static bool
complain_of_few (const struct inputs *in, const struct merge_ranks *r, struct error *err)
{
  return error_set (err, NULL, ERROR_NO_OFFSET,
                    "%zu profiles for %d ranks: at least one is needed for each", in->count,
                    r->size);
}

/* As one of several ranks, of which the first one speaks. */
static enum command_result
merge_as_rank (const struct inputs *in, const struct merge_options *o, const char *argv0,
               struct error *err)
{
  struct merge_ranks r;
  if (!merge_ranks_start (&r, o->mpi, err))
    return COMMAND_FAILED;
  const struct share share = { in, (size_t) r.rank, (size_t) r.size };
  char *part = merge_ranks_part (err);
  const bool has_part = part && (count_share (&share) > 0 || complain_of_few (in, &r, err))
                        && merge_share (&share, o, part, argv0, err),
             done = merge_ranks_end (&r, part ? part : "", has_part, o->output, err);
  free (part);
  return done || r.rank > 0 ? COMMAND_DONE : COMMAND_FAILED;
}

static bool
add_build (struct merge_options *o, const char *file)
{
  if (!array_grow (&o->builds, o->nbuilds, &o->room_builds, sizeof *o->builds))
    return false;
  o->builds[o->nbuilds++] = file;
  o->across_builds = true;
  return true;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  static struct inputs inputs; /* not freed: the error may name one of them */
  static struct merge_options o = { .output = "gmon.sum" }; /* likewise */
  struct options reader;
  options_begin (&reader, &command_merge, OPTIONS_ANYWHERE, argc, argv);
  for (int key; (key = options_next (&reader)) != OPTION_END;)
    switch (key)
      {
      case 'o': o.output = reader.value; break;
      case SKIP_BAD: o.skip_bad = true; break;
      case MPI: o.mpi = reader.value ? reader.value : "auto"; break;
      case ACROSS_BUILDS: o.across_builds = true; break;
      case BUILD:
        if (add_build (&o, reader.value))
          break;
        error_no_memory (err);
        return COMMAND_FAILED;
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
  if (o.mpi)
    return merge_as_rank (&inputs, &o, argv[0], err);
  const struct share all = { &inputs, 0, 1 };
  return merge_share (&all, &o, o.output, argv[0], err) ? COMMAND_DONE : COMMAND_FAILED;
}

static const struct command_option options[] = {
  { 'o', "output", "FILE", "write the sum to FILE (default: gmon.sum)", NULL },
  { SKIP_BAD, "skip-bad", NULL,
    "leave out profiles that cannot be used, and name them; otherwise nothing is written then",
    NULL },
  { MPI, "mpi", "[LIBRARY]",
    "share the work among the ranks that mpirun starts; LIBRARY: auto (default), openmpi, mpich",
    "auto openmpi mpich" },
  { ACROSS_BUILDS, "across-builds", NULL,
    "also add profiles of other builds of the program, function by function, to those of the first "
    "profile's build",
    NULL },
  { BUILD, "build", "FILE",
    "a build of the program that is not at its path any more; may be repeated", NULL },
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
