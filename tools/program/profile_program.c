/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/visible.h"
#include "common/windows_path.h"
#include "model/files/bbx_read.h"
#include "model/files/gmon_read.h"
#include "tools/program/profile_program.h"

static bool
begins_with (const char *name, const char *wanted)
{
  struct stat st;
  char magic[4];
  size_t n = strlen (wanted);
  /* Checked before the file is opened: opening a pipe would wait for a writer. */
  if (stat (name, &st) != 0 || !S_ISREG (st.st_mode))
    return false;
  FILE *f = fopen (name, "rbe");
  bool is = f && fread (magic, 1, n, f) == n && memcmp (magic, wanted, n) == 0;
  if (f)
    fclose (f);
  return is;
}

bool
profile_is_one (const char *name)
{
  return begins_with (name, "gmon");
}

bool
profile_is_program (const char *name)
{
  return begins_with (name, "\177ELF") || begins_with (name, "MZ");
}

bool
profile_comes_last (const char *argv0, int n, char *const *operands)
{
  bool profile = n > 1 && profile_is_one (operands[0]);
  for (int i = 1; profile && i < n; i++)
    if (profile_is_program (operands[i]))
      {
        fprintf (stderr, "%s: %s is a profile, ", argv0, visible (operands[0]));
        fprintf (stderr, "%s a program: PROGRAM comes first\n", visible (operands[i]));
        return false;
      }
  return true;
}

/* The program that sidecar X names; null: none, and ERR has the reason. */
static char *
take_program (const struct bbx *x, const char *profile, struct error *err)
{
  const char *named = x->nprocesses > 0 ? x->processes[0].program : NULL;
  if (x->state == BBX_NONE || x->state == BBX_REFUSED || !named)
    {
      error_set (
          err, profile, ERROR_NO_OFFSET,
          "program unknown: its sidecar (.bbx) is missing; name the program before the profile");
      return NULL;
    }
  char *path = windows_path (named, profile);
  if (path && access (path, F_OK) == 0)
    return path;
  error_set (err, profile, ERROR_NO_OFFSET,
             "its program, %.200s, does not exist any more; name the program before the profile",
             visible (named));
  free (path);
  return NULL;
}

char *
profile_program (const char *profile, struct error *err)
{
  struct gmon_file f;
  struct gmon_shape shape = gmon_shape_unknown ();
  struct bbx x;
  if (!gmon_open (&f, profile, &shape, err))
    return NULL;
  bbx_read (&x, profile, f.run, f.moment);
  char *program = take_program (&x, profile, err);
  bbx_free (&x);
  gmon_close (&f);
  return program;
}
