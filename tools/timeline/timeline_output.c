/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/timeline/timeline_output.h"

static bool
fail (const struct timeline_output *o, struct error *err)
{
  return error_set (err, o->name, ERROR_NO_OFFSET, "cannot write the file: %s", strerror (errno));
}

/* A pipe or a device is written directly; so is a link, which stays a link. */
static bool
is_replaced (const char *name)
{
  struct stat st;
  return lstat (name, &st) != 0 || S_ISREG (st.st_mode);
}

bool
timeline_output_open (struct timeline_output *o, const char *name, struct error *err)
{
  *o = (struct timeline_output) { .name = name,
                                  .out = stdout,
                                  .replaces = name && is_replaced (name) };
  if (!name)
    return true;
  if (!o->replaces)
    return (o->out = fopen (name, "w")) || fail (o, err);
  if (output_open (&o->replaced, name, "", err))
    {
      o->out = o->replaced.file;
      return true;
    }
  output_close (&o->replaced);
  return false;
}

bool
timeline_output_close (struct timeline_output *o, bool ok, struct error *err)
{
  if (!o->name)
    return ok;
  if (o->replaces)
    {
      ok = ok && output_finish (&o->replaced, err) && output_publish (&o->replaced, err);
      output_close (&o->replaced);
      return ok;
    }
  bool failed = ferror (o->out);
  bool closed = fclose (o->out) == 0 && !failed;
  return ok && (closed || fail (o, err));
}
