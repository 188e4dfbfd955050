/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "timeline_output.h"

static bool
fail (const struct timeline_output *o, const char *what, struct error *err)
{
  return error_set (err, o->name, ERROR_NO_OFFSET, "cannot be %s: %s", what, strerror (errno));
}

/* A pipe or a device is written itself; a link is, too, so that it stays one. */
static bool
is_replaced (const char *name)
{
  struct stat st;
  return lstat (name, &st) != 0 || S_ISREG (st.st_mode);
}

/* As fopen would have made it. */
static FILE *
open_temporary (char *name)
{
  int fd = mkstemp (name);
  mode_t mask = umask (0);
  umask (mask);
  FILE *out = fd >= 0 ? fdopen (fd, "w") : NULL;
  if (out)
    fchmod (fd, 0666 & ~mask);
  else if (fd >= 0)
    close (fd);
  return out;
}

bool
timeline_output_open (struct timeline_output *o, const char *name, struct error *err)
{
  *o = (struct timeline_output) { .name = name, .out = stdout };
  if (!name)
    return true;
  if (is_replaced (name) && asprintf (&o->temporary, "%s.XXXXXX", name) < 0)
    {
      o->temporary = NULL;
      return error_no_memory (err);
    }
  o->out = o->temporary ? open_temporary (o->temporary) : fopen (name, "w");
  if (o->out)
    return true;
  fail (o, "made", err);
  free (o->temporary);
  return false;
}

bool
timeline_output_close (struct timeline_output *o, bool ok, struct error *err)
{
  if (!o->name)
    return ok;
  bool failed = ferror (o->out);
  bool closed = fclose (o->out) == 0 && !failed;
  if (ok && !closed)
    ok = fail (o, "written", err);
  if (ok && o->temporary && rename (o->temporary, o->name) != 0)
    ok = fail (o, "written", err);
  if (!ok && o->temporary)
    unlink (o->temporary);
  free (o->temporary);
  return ok;
}
