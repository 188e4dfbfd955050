/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --output=FILE of commands that print a page. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/output.h"
#include "tools/arguments/page_output.h"

static struct output page; /* file is null if the page is not written to a file */

static void
discard (void)
{
  output_close (&page);
}

static bool
fail (const char *name, struct error *err)
{
  return error_set (err, name, ERROR_NO_OFFSET, "cannot write the file: %s", strerror (errno));
}

bool
page_output_begin (const char *name, struct error *err)
{
  struct stat st;
  discard ();
  /* A device or a pipe is not replaced, nor is a link. */
  if (lstat (name, &st) == 0 && !S_ISREG (st.st_mode))
    return freopen (name, "w", stdout) || fail (name, err);
  if (!output_open (&page, name, "", err))
    {
      discard ();
      return false;
    }
  atexit (discard);
  return dup2 (fileno (page.file), STDOUT_FILENO) >= 0 || fail (name, err);
}

bool
page_output_end (struct error *err)
{
  if (!page.file)
    return true;
  bool ok = error_if_unwritten (stdout, err) && output_finish (&page, err)
            && output_publish (&page, err);
  discard ();
  return ok;
}
