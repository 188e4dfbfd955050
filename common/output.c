/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/output.h"

/* Fewer zeros than this are not written as a hole. */
#define HOLE_AT_LEAST 65536

static bool
fail (const struct output *o, struct error *err)
{
  const char *reason = strerror (errno);
  return strcmp (o->blame, o->name) == 0
             ? error_set (err, o->blame, ERROR_NO_OFFSET, "cannot write the file: %s", reason)
             : error_set (err, o->blame, ERROR_NO_OFFSET, "cannot write %s: %s", o->name, reason);
}

bool
output_open (struct output *o, const char *name, const char *suffix, struct error *err)
{
  struct stat st;
  *o = (struct output) { .blame = name };
  if (asprintf (&o->name, "%s%s", name, suffix) < 0)
    o->name = NULL;
  if (!o->name || asprintf (&o->temporary, "%s.%ld.tmp", o->name, (long) getpid ()) < 0)
    {
      o->temporary = NULL;
      return error_no_memory (err);
    }
  /* Renaming would replace a device, for example. */
  if (stat (o->name, &st) == 0 && !S_ISREG (st.st_mode))
    return error_set (err, name, ERROR_NO_OFFSET,
                      "cannot write %s: it exists and is not a regular file", o->name);
  o->file = fopen (o->temporary, "wbx");
  return o->file || fail (o, err);
}

void
output_zeros (struct output *o, uint64_t n)
{
  if (n >= HOLE_AT_LEAST)
    {
      fseeko (o->file, (off_t) n, SEEK_CUR);
      return;
    }
  for (; n > 0; n--)
    putc (0, o->file);
}

bool
output_finish (struct output *o, struct error *err)
{
  FILE *f = o->file;
  /* The file may end with a hole. */
  bool ok = fflush (f) == 0 && !ferror (f) && ftruncate (fileno (f), ftello (f)) == 0;
  int reason = errno;
  ok &= fclose (f) == 0;
  o->file = NULL;
  if (!ok)
    {
      errno = reason;
      unlink (o->temporary);
    }
  return ok || fail (o, err);
}

/* As runtime/base/out.c does, and for the same reason. */
static bool
replace (const char *temporary, const char *name)
{
  if (renameat2 (AT_FDCWD, temporary, AT_FDCWD, name, RENAME_EXCHANGE) != 0)
    return rename (temporary, name) == 0;
  if (unlink (temporary) == 0)
    return true;
  renameat2 (AT_FDCWD, temporary, AT_FDCWD, name, RENAME_EXCHANGE);
  return rename (temporary, name) == 0;
}

bool
output_publish (struct output *o, struct error *err)
{
  if (!replace (o->temporary, o->name))
    return fail (o, err);
  free (o->temporary);
  o->temporary = NULL;
  return true;
}

void
output_close (struct output *o)
{
  if (o->file)
    fclose (o->file);
  if (o->temporary)
    unlink (o->temporary);
  free (o->temporary);
  free (o->name);
  memset (o, 0, sizeof *o);
}
