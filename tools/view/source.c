/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/array.h"
#include "model/symbols/srcline.h"
#include "tools/view/source.h"

enum { FILE_MOST = 1 << 26 }; /* bytes; larger files are not read as source */

bool
source_places_add_folder (struct source_places *p, const char *folder)
{
  if (!array_grow (&p->folders, p->nfolders, &p->room_folders, sizeof *p->folders))
    return false;
  p->folders[p->nfolders++] = folder;
  return true;
}

bool
source_places_add_map (struct source_places *p, struct source_map map)
{
  if (!array_grow (&p->maps, p->nmaps, &p->room_maps, sizeof *p->maps))
    return false;
  p->maps[p->nmaps++] = map;
  return true;
}

void
source_places_free (struct source_places *p)
{
  free (p->folders);
  free (p->maps);
  *p = (struct source_places) { 0 };
}

static char *
read_text (const char *name, size_t *size)
{
  struct stat st;
  FILE *file = stat (name, &st) == 0 && S_ISREG (st.st_mode) && st.st_size < FILE_MOST
                   ? fopen (name, "rb")
                   : NULL;
  char *text = file ? malloc ((size_t) st.st_size + 1) : NULL;
  *size = text ? fread (text, 1, (size_t) st.st_size, file) : 0;
  if (text)
    text[*size] = '\0';
  if (file)
    fclose (file);
  return text;
}

/* Splits the text into lines; false: no memory. */
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
      if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    }
  return true;
}

/* Joins HEAD and TAIL with a slash; without a HEAD: TAIL. */
static char *
read_joined (const char *head, const char *tail, size_t *size)
{
  size_t length = strlen (head) + strlen (tail) + 2;
  char *name = malloc (length);
  if (name)
    snprintf (name, length, "%s%s%s", head, *head && *tail != '/' ? "/" : "", tail);
  char *text = name ? read_text (name, size) : NULL;
  free (name);
  return text;
}

static char *
read_mapped (const struct source *s, const char *name, size_t *size)
{
  for (const struct source_map *m = s->places.maps; m < s->places.maps + s->places.nmaps; m++)
    if (strncmp (name, m->from, m->from_size) == 0)
      return read_joined (m->to, name + m->from_size, size);
  return NULL;
}

/* Tries FOLDER/a/b/c.c, then FOLDER/b/c.c, then FOLDER/c.c. */
static char *
read_below (const char *folder, const char *name, size_t *size)
{
  char *text = NULL;
  while (!text && name)
    {
      name += *name == '/';
      text = read_joined (folder, name, size);
      name = strchr (name, '/');
    }
  return text;
}

static char *
find_text (const struct source *s, const char *name, size_t *size)
{
  char *text = read_mapped (s, name, size);
  if (!text)
    text = read_text (name, size);
  for (size_t i = 0; !text && i < s->places.nfolders; i++)
    text = read_below (s->places.folders[i], name, size);
  return text ? text : read_text (srcline_base (name), size);
}

/* Null: no memory. */
static struct source_file *
add_file (struct source *s, const char *name)
{
  size_t size;
  if (!array_grow (&s->files, s->count, &s->room, sizeof *s->files))
    return NULL;
  struct source_file *f = &s->files[s->count];
  *f = (struct source_file) { .name = strdup (name), .text = find_text (s, name, &size) };
  if (!f->name)
    return NULL;
  s->count++;
  return !f->text || cut (f, size) ? f : NULL;
}

/* Null: no memory. */
static struct source_file *
file_of (struct source *s, const char *name)
{
  for (size_t i = 0; i < s->count; i++)
    if (strcmp (s->files[i].name, name) == 0)
      return &s->files[i];
  return add_file (s, name);
}

const char *
source_line (struct source *s, const char *name, unsigned line)
{
  const struct source_file *f = file_of (s, name);
  return f && line > 0 && line <= f->nlines ? f->lines[line - 1] : NULL;
}

unsigned
source_head (struct source *s, const char *name, unsigned low)
{
  enum { MOST = 6 };
  unsigned head = low;
  while (head > 1 && low - head < MOST)
    {
      const char *text = source_line (s, name, head - 1);
      size_t n = text ? strlen (text) : 0;
      if (n == 0 || strchr (";}/", text[n - 1]) || text[0] == '#')
        break;
      head--;
    }
  return head;
}

bool
source_exists (struct source *s, const char *name)
{
  const struct source_file *f = file_of (s, name);
  return f && f->text;
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
