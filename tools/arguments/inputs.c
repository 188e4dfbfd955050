/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/array.h"
#include "model/files/bbx_read.h"
#include "tools/arguments/inputs.h"
#include "tools/program/profile_program.h"

/* Takes NAME over, which may be null: no memory. */
static bool
add_name (struct inputs *in, char *name, struct error *err)
{
  if (name && array_grow (&in->names, in->count, &in->room, sizeof *in->names))
    {
      in->names[in->count++] = name;
      return true;
    }
  free (name);
  return error_no_memory (err);
}

static bool
is_same_file (const char *a, const char *b)
{
  struct stat x, y;
  return stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool
add_folder (struct inputs *in, const char *folder, const char *output, struct error *err)
{
  struct dirent **entries;
  int n = scandir (folder, &entries, NULL, alphasort);
  if (n < 0)
    return error_set (err, folder, ERROR_NO_OFFSET, "cannot read the folder: %s", strerror (errno));
  bool ok = true;
  size_t before = in->count;
  for (int i = 0; i < n; i++)
    {
      char *name = NULL;
      if (ok && asprintf (&name, "%s/%s", folder, entries[i]->d_name) < 0)
        name = NULL;
      if (ok && name && (!profile_is_one (name) || is_same_file (name, output)))
        free (name);
      else if (ok)
        ok = add_name (in, name, err);
      free (entries[i]);
    }
  free (entries);
  return ok
         && (in->count > before
             || error_set (err, folder, ERROR_NO_OFFSET, "no profiles in this folder"));
}

static bool
add_list (struct inputs *in, const char *list, struct error *err)
{
  FILE *f = fopen (list, "r");
  char *line = NULL;
  size_t size = 0;
  ssize_t n;
  if (!f)
    return error_set (err, list, ERROR_NO_OFFSET, "cannot open the list of profiles: %s",
                      strerror (errno));
  bool ok = true;
  while (ok && (n = getline (&line, &size, f)) >= 0)
    {
      line[strcspn (line, "\n")] = '\0';
      if (*line && !bbx_is_name (line))
        ok = add_name (in, strdup (line), err);
    }
  if (ok && ferror (f))
    ok = error_set (err, list, ERROR_NO_OFFSET, "cannot read the list of profiles: %s",
                    strerror (errno));
  free (line);
  fclose (f);
  return ok;
}

bool
inputs_add (struct inputs *in, const char *word, const char *output, struct error *err)
{
  struct stat st;
  if (*word == '@')
    return add_list (in, word + 1, err);
  if (stat (word, &st) == 0 && S_ISDIR (st.st_mode))
    return add_folder (in, word, output, err);
  return bbx_is_name (word) || add_name (in, strdup (word), err);
}
