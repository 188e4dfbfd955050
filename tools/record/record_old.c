/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the previous recording of the same name: it becomes PROFILE.old, with the files beside
   it, when a new one exists; one generation is kept.  Until then it stays in place, because the
   program itself may read it.  A hard link secures it, because the run replaces its files one by
   one.  A file of another user cannot be linked and is moved at once.  If the run leaves no
   recording, the files get their names back. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/visible.h"
#include "include/bbprof-file.h"
#include "include/bbprof-samples.h"
#include "include/bbprof-trace.h"
#include "tools/record/record.h"

static const char *const suffixes[] = { "", BBX_SUFFIX, BBS_SUFFIX, BBT_SUFFIX };
enum { FILES = sizeof suffixes / sizeof *suffixes };

/* A file and its other names. */
struct names {
  char *here, *kept, *old;
};

static bool
make_names (struct names *names, const char *profile, const char *suffix)
{
  *names = (struct names) { 0 };
  return asprintf (&names->here, "%s%s", profile, suffix) >= 0
         && asprintf (&names->kept, "%s.old.tmp%s", profile, suffix) >= 0
         && asprintf (&names->old, "%s.old%s", profile, suffix) >= 0;
}

static void
free_names (struct names *names)
{
  free (names->here);
  free (names->kept);
  free (names->old);
}

static bool
is_same (const char *a, const char *b)
{
  struct stat x, y;
  return lstat (a, &x) == 0 && lstat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* 0 or an errno.  No file is no error; what is no regular file is not replaced either. */
static int
keep (const struct names *names)
{
  struct stat st;
  if (lstat (names->here, &st) != 0 || !S_ISREG (st.st_mode))
    return 0;
  return link (names->here, names->kept) == 0 || rename (names->here, names->kept) == 0 ? 0 : errno;
}

/* A file that the run did not replace is not part of the new recording. */
static int
retire (const struct names *names)
{
  unlink (names->old);
  if (is_same (names->here, names->kept))
    unlink (names->here);
  return rename (names->kept, names->old) == 0 || errno == ENOENT ? 0 : errno;
}

static int
bring_back (const struct names *names)
{
  if (is_same (names->here, names->kept))
    unlink (names->kept);
  return rename (names->kept, names->here) == 0 || errno == ENOENT ? 0 : errno;
}

/* The first error. */
static int
for_each (const char *profile, int (*action) (const struct names *))
{
  int error = 0;
  for (int i = 0; i < FILES; i++)
    {
      struct names names;
      int failed = make_names (&names, profile, suffixes[i]) ? action (&names) : ENOMEM;
      free_names (&names);
      error = error ? error : failed;
    }
  return error;
}

/* Bits: which files have a second name; and whether the run of that command replaced one. */
static bool
are_kept (const char *profile, bool *replaced)
{
  bool any = false;
  *replaced = false;
  for (int i = 0; i < FILES; i++)
    {
      struct names names;
      bool kept = make_names (&names, profile, suffixes[i]) && access (names.kept, F_OK) == 0;
      *replaced |= kept && access (names.here, F_OK) == 0 && !is_same (names.here, names.kept);
      any |= kept;
      free_names (&names);
    }
  return any;
}

void
record_keep_old (struct record_run *run)
{
  bool replaced;
  const char *profile = run->options->output;
  if (are_kept (profile, &replaced)) /* left by a command that was killed */
    for_each (profile, replaced ? retire : bring_back);
  int error = for_each (profile, keep);
  run->keeps_old = are_kept (profile, &replaced);
  if (error)
    fprintf (stderr, "bbprof record: %s: the previous recording is not kept: %s\n",
             visible (profile), strerror (error));
}

void
record_retire_old (struct record_run *run)
{
  if (!run->keeps_old)
    return;
  int error = for_each (run->options->output, retire);
  run->keeps_old = false;
  run->has_old = !error;
  if (error)
    fprintf (stderr, "bbprof record: %s.old: %s\n", visible (run->options->output),
             strerror (error));
}

void
record_bring_old_back (struct record_run *run)
{
  if (!run->keeps_old)
    return;
  int error = for_each (run->options->output, bring_back);
  run->keeps_old = false;
  if (error)
    fprintf (stderr, "bbprof record: %s.old.tmp: cannot be renamed back: %s\n",
             visible (run->options->output), strerror (error));
}
