/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"
#include "source.h"
#include "srcline.h"

enum { FILE_MOST = 1 << 26 }; /* bytes; nobody wrote a larger one */

static char *
read_text (const char *name, size_t *size)
{
  struct stat st;
  FILE *file = stat (name, &st) == 0 && S_ISREG (st.st_mode) && st.st_size < FILE_MOST ? fopen (name, "rb") : NULL;
  char *text = file ? malloc ((size_t) st.st_size + 1) : NULL;
  *size = text ? fread (text, 1, (size_t) st.st_size, file) : 0;
  if (text)
    text[*size] = '\0';
  if (file)
    fclose (file);
  return text;
}

/* Cuts the text into lines; false: no memory. */
static bool
cut (struct source_file *f, size_t size)
{
  size_t room = 0;
  for (char *line = f->text, *end; line < f->text + size; line = end + 1)
    {
      if (!array_grow (&f->lines, f->nlines, &room, sizeof *f->lines))
        return false;
      f->lines[f->nlines++] = line;
      end = memchr (line, '\n', (size_t) (f->text + size - line));
      if (!end)
        break;
      *end = '\0';
    }
  return true;
}

/* Null: no memory. */
static struct source_file *
add_file (struct source *s, const char *name)
{
  size_t size;
  if (!array_grow (&s->files, s->count, &s->room, sizeof *s->files))
    return NULL;
  struct source_file *f = &s->files[s->count];
  *f = (struct source_file) { .name = strdup (name), .text = read_text (name, &size) };
  if (!f->name)
    return NULL;
  s->count++;
  if (!f->text)
    f->text = read_text (srcline_base (name), &size);
  return !f->text || cut (f, size) ? f : NULL;
}

const char *
source_line (struct source *s, const char *name, unsigned line)
{
  struct source_file *f = NULL;
  for (size_t i = 0; i < s->count && !f; i++)
    if (strcmp (s->files[i].name, name) == 0)
      f = &s->files[i];
  if (!f)
    f = add_file (s, name);
  return f && line > 0 && line <= f->nlines ? f->lines[line - 1] : NULL;
}

void
source_free (struct source *s)
{
  for (size_t i = 0; i < s->count; i++)
    {
      free (s->files[i].name);
      free (s->files[i].text);
      free (s->files[i].lines);
    }
  free (s->files);
  memset (s, 0, sizeof *s);
}
