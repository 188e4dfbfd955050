/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gprof-compat/source_text.h"

static FILE *
open_in (const char *name, char *const *dirs, size_t ndirs)
{
  FILE *f = NULL;
  for (size_t i = 0; i < ndirs && !f; i++)
    {
      char *path;
      if (asprintf (&path, "%s/%s", dirs[i], name) < 0)
        {
          errno = ENOMEM;
          return NULL;
        }
      f = fopen (path, "rb");
      int reason = errno;
      free (path);
      errno = reason;
    }
  return f;
}

FILE *
source_text_open (const char *name, char *const *dirs, size_t ndirs)
{
  FILE *f = fopen (name, "rb");
  const char *slash = strrchr (name, '/');
  if (!f && name[0] != '/')
    f = open_in (name, dirs, ndirs);
  if (!f && slash)
    f = open_in (slash + 1, dirs, ndirs);
  return f;
}
