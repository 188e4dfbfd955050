/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/error.h"
#include "common/header.h"
#include "common/visible.h"

bool
error_set (struct error *err, const char *file, uint64_t offset, const char *format, ...)
{
  err->file = file;
  err->offset = offset;
  va_list args;
  va_start (args, format);
  vsnprintf (err->text, sizeof err->text, format, args);
  va_end (args);
  return false;
}

void
error_advise (struct error *err, const char *advice)
{
  size_t length = strlen (err->text);
  snprintf (err->text + length, sizeof err->text - length, "; %s", advice);
}

void
error_detach (struct error *err, const char *kept)
{
  struct error own = *err;
  if (own.file && own.file != kept)
    error_set (err, NULL, own.offset, "%.100s: %.280s", own.file, own.text);
}

bool
error_no_memory (struct error *err)
{
  return error_set (err, NULL, ERROR_NO_OFFSET, "out of memory");
}

bool
error_if_unwritten (FILE *out, struct error *err)
{
  if (fflush (out) == 0 && !ferror (out))
    return true;
  return error_set (err, NULL, ERROR_NO_OFFSET, "cannot write the report: %s", strerror (errno));
}

void
error_print (const char *program, const struct error *err)
{
  fflush (stdout);
  fprintf (stderr, "%s: ", program);
  if (err->file)
    fprintf (stderr, "%s: ", visible (err->file));
  if (err->offset != ERROR_NO_OFFSET)
    fprintf (stderr, "byte %" PRIu64 ": ", err->offset);
  fprintf (stderr, "%s\n", visible (err->text));
}

bool
warnings_add (struct warnings *w, const struct error *warning)
{
  if (!array_grow (&w->list, w->count, &w->room, sizeof *w->list))
    return false;
  w->list[w->count++] = *warning;
  return true;
}

void
warnings_print (const char *program, const struct warnings *w)
{
  for (size_t i = 0; i < w->count; i++)
    error_print (program, &w->list[i]);
}

static bool
are_together (void)
{
  struct stat out, err;
  return fstat (STDOUT_FILENO, &out) == 0 && fstat (STDERR_FILENO, &err) == 0
         && out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

void
warnings_print_beside (const char *program, const struct warnings *w, bool page)
{
  if (!page || !(isatty (STDOUT_FILENO) || are_together ()))
    warnings_print (program, w);
}

void
warnings_show (FILE *out, const struct warnings *w)
{
  for (size_t i = 0; i < w->count; i++)
    {
      const struct error *e = &w->list[i];
      header_print (out, "warning", "%s%s%s", e->file ? visible (e->file) : "", e->file ? ": " : "",
                    visible (e->text));
    }
}

void
warnings_free (struct warnings *w)
{
  free (w->list);
  *w = (struct warnings) { 0 };
}
