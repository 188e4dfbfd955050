/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "recover/live_read.h"
#include "recover/recover.h"

/* NAME.<something>.live or NAME.live. */
static bool
may_belong (const char *entry, const char *name)
{
  size_t n = strlen (name), m = strlen (entry), end = strlen (".live");
  return m >= n + end && strncmp (entry, name, n) == 0 && entry[n] == '.'
         && strcmp (entry + m - end, ".live") == 0;
}

/* Is it a live file of the user's own?  In a shared folder files of other users are left alone
   unless they are named. */
static bool
is_own (const char *path, const char *name)
{
  struct live_file file;
  struct error ignored;
  if (!live_open (&file, path, &ignored))
    return false;
  const char *slash = file.head ? strrchr (file.head->profile, '/') : NULL;
  bool own = file.head && file.st.st_uid == geteuid ()
             && strcmp (slash ? slash + 1 : file.head->profile, name) == 0;
  live_close (&file);
  return own;
}

/* Recovers the live file PATH and adds a warning about it. */
static bool
recover_one (struct warnings *warnings, const char *profile, const char *path)
{
  struct error err, warning;
  struct recovered recovered;
  switch (recover_file (path, NULL, &recovered, &err))
    {
    case RECOVERY_DONE:
      error_set (&warning, profile, ERROR_NO_OFFSET, "recovered from %s%s", path,
                 recovered.missing ? "; some counts are missing, because the disk was full" : "");
      return warnings_add (warnings, &warning);
    case RECOVERY_FAILED:
      error_set (&warning, profile, ERROR_NO_OFFSET, "not recovered from %s: %s", path, err.text);
      return warnings_add (warnings, &warning);
    case RECOVERY_NOTHING:
    case RECOVERY_RUNS:
    case RECOVERY_OLD: break;
    }
  return true;
}

struct paths {
  char **item;
  size_t n, room;
};

static bool
add_path (struct paths *paths, const char *path)
{
  if (!array_grow (&paths->item, paths->n, &paths->room, sizeof *paths->item))
    return false;
  paths->item[paths->n] = strdup (path);
  return paths->item[paths->n] && ++paths->n;
}

/* Collects the user's own live files of PROFILE.  False: out of memory. */
static bool
find_beside (struct paths *paths, const char *profile)
{
  const char *slash = strrchr (profile, '/'), *name = slash ? slash + 1 : profile;
  int folder_bytes = (int) (name - profile);
  char folder[RECOVER_PATH_SIZE], path[RECOVER_PATH_SIZE + 256];
  snprintf (folder, sizeof folder, "%.*s", folder_bytes, profile);
  DIR *entries = opendir (*folder ? folder : ".");
  bool ok = true;
  for (struct dirent *entry; ok && entries && (entry = readdir (entries));)
    if (may_belong (entry->d_name, name))
      {
        snprintf (path, sizeof path, "%s%s", folder, entry->d_name);
        ok = !is_own (path, name) || add_path (paths, path);
      }
  if (entries)
    closedir (entries);
  return ok;
}

bool
recover_live_files (struct warnings *warnings, const char *profile)
{
  struct paths paths = { 0 };
  bool ok = find_beside (&paths, profile);
  if (paths.n > 1)
    qsort (paths.item, paths.n, sizeof *paths.item, recover_compare);
  for (size_t i = 0; ok && i < paths.n; i++)
    ok = recover_one (warnings, profile, paths.item[i]);
  for (size_t i = 0; i < paths.n; i++)
    free (paths.item[i]);
  free (paths.item);
  return ok;
}
