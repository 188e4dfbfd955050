/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/symbols/order_map.h"

#define NOTHING "No symbols in "

struct reader {
  struct order_map *map;
  const char *path;
  char *at, *end; /* the unread part */
  size_t room;
};

static bool
read_text (struct reader *r, struct error *err)
{
  FILE *f = fopen (r->path, "rb");
  size_t size = 0, room = 0;
  bool ok = f != NULL;
  while (ok && !feof (f) && (ok = array_grow (&r->map->text, size, &room, 1) && !ferror (f)))
    size += fread (r->map->text + size, 1, room - size, f);
  if (!ok)
    error_set (err, r->path, ERROR_NO_OFFSET, "cannot read the map: %s", strerror (errno));
  if (f)
    fclose (f);
  r->at = r->map->text;
  r->end = r->at + size;
  return ok;
}

static bool
fail (const struct reader *r, const char *at, const char *text, struct error *err)
{
  return error_set (err, r->path, (uint64_t) (at - r->map->text),
                    "%s: no line 'object file: ... function'", text);
}

static void
skip_blanks (struct reader *r)
{
  while (r->at < r->end && isspace ((unsigned char) *r->at))
    r->at++;
}

/* Reads the line with the file name at NAME; the line ends here. */
static bool
read_function (struct reader *r, char *name, struct error *err)
{
  char *file_end = r->at;
  char *line_end = memchr (file_end, '\n', (size_t) (r->end - file_end));
  if (!line_end)
    line_end = r->end;
  char *blank = memrchr (file_end, ' ', (size_t) (line_end - file_end));
  if (!blank)
    return fail (r, name, "no function's name on this line", err);
  struct order_map *map = r->map;
  if (!array_grow (&map->entries, map->count, &r->room, sizeof *map->entries))
    return error_no_memory (err);
  r->at = line_end;
  skip_blanks (r);
  *file_end = '\0';
  *line_end = '\0';
  map->entries[map->count] = (struct order_map_entry) {
    .file = name,
    .function = blank + 1,
    .first = map->count == 0 || strcmp (map->entries[map->count - 1].file, name) != 0
  };
  map->count++;
  return true;
}

static bool
read_line (struct reader *r, struct error *err)
{
  char *name = r->at;
  while (r->at < r->end && *r->at != ':' && *r->at != '\n')
    r->at++;
  size_t length = (size_t) (r->at - name);
  if (length == 0)
    return fail (r, name, "no object file on this line", err);
  if (length < strlen (NOTHING) || memcmp (name, NOTHING, strlen (NOTHING)) != 0)
    return read_function (r, name, err);
  skip_blanks (r);
  return true;
}

static int
compare_functions (const void *a, const void *b, void *context)
{
  const struct order_map_entry *x = a, *y = b;
  (void) context;
  return strcmp (x->function, y->function);
}

bool
order_map_read (struct order_map *map, const char *path, struct error *err)
{
  struct reader r = { .map = map, .path = path };
  *map = (struct order_map) { 0 };
  if (!read_text (&r, err))
    return false;
  while (r.at < r.end)
    if (!read_line (&r, err))
      return false;
  if (map->count == 0)
    return fail (&r, r.map->text, "the map is empty", err);
  return array_sort (map->entries, map->count, sizeof *map->entries, compare_functions, NULL)
         || error_no_memory (err);
}

void
order_map_free (struct order_map *map)
{
  free (map->entries);
  free (map->text);
}

const struct order_map_entry *
order_map_find (const struct order_map *map, const char *function)
{
  size_t low = 0, high = map->count;
  while (low < high)
    {
      size_t middle = (low + high) / 2;
      int order = strcmp (function, map->entries[middle].function);
      if (order == 0)
        return &map->entries[middle];
      if (order < 0)
        high = middle;
      else
        low = middle + 1;
    }
  return NULL;
}
