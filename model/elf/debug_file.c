/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <stdlib.h>
#include <string.h>

#include "model/elf/debug_file.h"
#include "model/elf/debuginfod.h"

/* The folder in which distributions put the symbols of stripped files. */
#define SYSTEM_FOLDER "/usr/lib/debug"

typedef char *find_in_folder (struct bfd *, const char *folder);

/* Searches with FIND in the user's folders, then in the system's. */
static char *
find_by (find_in_folder *find, struct bfd *file)
{
  const char *folders = getenv (DEBUG_FILE_PATH_VARIABLE);
  for (const char *at = folders ? folders : ""; *at;)
    {
      size_t n = strcspn (at, ":");
      char *folder = n > 0 ? strndup (at, n) : NULL, *path = folder ? find (file, folder) : NULL;
      free (folder);
      if (path)
        return path;
      at += n + (at[n] == ':');
    }
  return find (file, SYSTEM_FOLDER);
}

char *
debug_file_find (const struct image *im)
{
  char *path = find_by (bfd_follow_build_id_debuglink, im->bfd);
  if (!path)
    path = find_by (bfd_follow_gnu_debuglink, im->bfd);
  return path ? path : debuginfod_fetch (im);
}
