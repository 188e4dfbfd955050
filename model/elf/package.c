/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/elf/package.h"

/* Has a file PACKAGE.list, or PACKAGE:ARCHITECTURE.list, for each package, with a path on each
   line. */
#define LISTS "/var/lib/dpkg/info"

/* Is PATH a whole line of TEXT? */
static bool
has_line (const char *text, const char *path)
{
  size_t n = strlen (path);
  for (const char *at = text; (at = strstr (at, path)); at += n)
    if ((at == text || at[-1] == '\n') && (at[n] == '\n' || at[n] == '\0'))
      return true;
  return false;
}

/* /usr/bin/gzip may be in the list as /bin/gzip, where /bin is a link to /usr/bin. */
static bool
has_file (const char *text, const char *path)
{
  return has_line (text, path) || (strncmp (path, "/usr/", 5) == 0 && has_line (text, path + 4));
}

/* The text of the file NAME; null: it cannot be read. */
static char *
read_list (const char *name)
{
  char path[512], *text = NULL;
  size_t room = 0;
  snprintf (path, sizeof path, LISTS "/%s", name);
  FILE *in = fopen (path, "re");
  if (in && getdelim (&text, &room, '\0', in) < 0)
    {
      free (text);
      text = NULL;
    }
  if (in)
    fclose (in);
  return text;
}

/* Gives the files in the list NAME their package. */
static bool
search (const char *name, struct package_file *files, size_t n)
{
  char *text = read_list (name);
  bool ok = true;
  for (size_t i = 0; text && ok && i < n; i++)
    if (!files[i].package && has_file (text, files[i].path))
      ok = (files[i].package = strndup (name, strcspn (name, ":") < strlen (name)
                                                  ? strcspn (name, ":")
                                                  : strlen (name) - strlen (".list")));
  free (text);
  return ok;
}

bool
packages_find (struct package_file *files, size_t n)
{
  DIR *folder = opendir (LISTS);
  bool ok = true;
  for (const struct dirent *d; ok && folder && (d = readdir (folder));)
    {
      size_t length = strlen (d->d_name);
      if (length > 5 && strcmp (d->d_name + length - 5, ".list") == 0)
        ok = search (d->d_name, files, n);
    }
  if (folder)
    closedir (folder);
  return ok;
}
