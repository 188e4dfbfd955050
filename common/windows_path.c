/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/windows_path.h"

/* FOLDER/NAME, the folder up to its last slash; null: out of memory, or there is no such file. */
static char *
existing (const char *folder, size_t n, const char *name)
{
  char *path = NULL;
  if (asprintf (&path, "%.*s%s", (int) n, folder, name) < 0)
    return NULL;
  for (char *at = path + n; *at; at++)
    if (*at == '\\')
      *at = '/';
  if (access (path, F_OK) == 0)
    return path;
  free (path);
  return NULL;
}

/* On the drive of Wine that the path names. */
static char *
on_drive (const char *path)
{
  const char *prefix = getenv ("WINEPREFIX"), *home = getenv ("HOME");
  char *folder = NULL, *found;
  if (asprintf (&folder, "%s%s/dosdevices/%c:",
                prefix ? prefix
                : home ? home
                       : "",
                prefix ? "" : "/.wine", tolower ((unsigned char) path[0]))
      < 0)
    return NULL;
  found = existing (folder, strlen (folder), path + 2);
  free (folder);
  /* Wine shows the root of this system as drive Z. */
  return found || tolower ((unsigned char) path[0]) != 'z' ? found : existing ("", 0, path + 2);
}

char *
windows_path (const char *path, const char *neighbour)
{
  if (!isalpha ((unsigned char) path[0]) || path[1] != ':' || path[2] != '\\')
    return strdup (path);
  const char *slash = strrchr (neighbour, '/');
  char *found = existing (neighbour, slash ? (size_t) (slash + 1 - neighbour) : 0,
                          strrchr (path, '\\') + 1);
  if (!found)
    found = on_drive (path);
  if (found || !(found = strdup (path)))
    return found;
  for (char *at = found; *at; at++)
    if (*at == '\\')
      *at = '/';
  return found;
}
