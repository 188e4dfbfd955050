/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tools/arguments/name_choice.h"
#include "tools/replay/location.h"

/* Marks the blocks for which IS returns true; returns their number. */
static size_t
mark (struct location *w, struct lines *l,
      bool (*is) (struct location *, struct lines *, const struct trace_block *))
{
  size_t found = 0;
  for (unsigned f = 0; f < trace_functions (l->trace); f++)
    {
      const struct trace_function *function = trace_function (l->trace, f);
      for (unsigned b = 0; b < function->nblocks; b++)
        found += w->blocks[function->blocks[b].number] = is (w, l, &function->blocks[b]);
    }
  return found;
}

/* Functions.  */

static bool
is_entry (struct location *w, struct lines *l, const struct trace_block *b)
{
  (void) l;
  return b->index == 0 && name_choice_is (w->choice, b->function->symbol, b->function->name);
}

static bool
find_functions (struct location *w, struct lines *l, struct error *err)
{
  struct name_choice choice;
  name_choice_begin (&choice, w->text);
  for (unsigned f = 0; f < trace_functions (l->trace); f++)
    {
      const struct trace_function *function = trace_function (l->trace, f);
      name_choice_consider (&choice, function->symbol, function->name);
    }
  w->choice = &choice;
  bool found = mark (w, l, is_entry) > 0 || name_choice_refuse (&choice, "traced function", err);
  w->choice = NULL;
  name_choice_free (&choice);
  return found;
}

/* Blocks, by the address in the text. */

static bool
has_address (struct location *w, struct lines *l, const struct trace_block *b)
{
  uint64_t address = strtoull (w->text, NULL, 16);
  (void) l;
  return b->address == address || (b->address < address && address < b->end);
}

static bool
is_address (const char *text)
{
  return strncmp (text, "0x", 2) == 0 && text[2]
         && text[strspn (text + 2, "0123456789abcdefABCDEF") + 2] == '\0';
}

/* Lines.  */

/* The number behind FILE:; 0: none. */
static unsigned
line_of (const char *text)
{
  const char *colon = strrchr (text, ':');
  if (!colon || colon == text || colon[1] == '\0'
      || colon[1 + strspn (colon + 1, "0123456789")] != '\0')
    return 0;
  unsigned long line = strtoul (colon + 1, NULL, 10);
  return line < 1UL << 31 ? (unsigned) line : 0;
}

/* Does TEXT, up to its last colon, name FILE: completely, or by its last components? */
static bool
is_file (const char *text, const char *file)
{
  size_t length = (size_t) (strrchr (text, ':') - text), n = strlen (file);
  return n >= length && memcmp (file + n - length, text, length) == 0
         && (n == length || file[n - length - 1] == '/');
}

static bool
is_on_line (struct location *w, struct lines *l, const struct trace_block *b)
{
  const struct line *line = lines_of (l, b);
  return line->file && line->line == w->line && is_file (w->text, line->file);
}

/* The last line up to MOST on which a block begins; 0: none. */
static unsigned
line_before (struct location *w, struct lines *l, unsigned most)
{
  unsigned found = 0;
  for (unsigned f = 0; f < trace_functions (l->trace); f++)
    {
      const struct trace_function *function = trace_function (l->trace, f);
      for (unsigned b = 0; b < function->nblocks; b++)
        {
          const struct line *line = lines_of (l, &function->blocks[b]);
          if (line->file && line->line <= most && line->line > found
              && is_file (w->text, line->file))
            found = line->line;
        }
    }
  return found;
}

static bool
find_line (struct location *w, struct lines *l, unsigned line, struct error *err)
{
  w->line = line_before (w, l, line);
  return (w->line && mark (w, l, is_on_line) > 0)
         || error_set (err, NULL, ERROR_NO_OFFSET,
                       "%.60s: no traced block in that file up to that line", w->text);
}

bool
location_find (struct location *w, struct lines *l, const char *text, struct error *err)
{
  unsigned line = line_of (text);
  *w = (struct location) { .kind = is_address (text) ? LOCATION_BLOCK
                                   : line            ? LOCATION_LINE
                                                     : LOCATION_FUNCTION,
                           .text = strdup (text),
                           .blocks = calloc (trace_blocks (l->trace) + 1, sizeof *w->blocks) };
  if (!w->text || !w->blocks)
    return error_no_memory (err);
  if (w->kind == LOCATION_FUNCTION)
    return find_functions (w, l, err);
  if (w->kind == LOCATION_LINE)
    return find_line (w, l, line, err);
  return mark (w, l, has_address) > 0
         || error_set (err, NULL, ERROR_NO_OFFSET, "%.60s: no traced block there", text);
}

void
location_free (struct location *w)
{
  free (w->text);
  free (w->blocks);
  memset (w, 0, sizeof *w);
}

bool
location_visited (const struct location *w, const struct thread_block *before,
                  const struct thread_block *place)
{
  if (!w->blocks[place->block->number])
    return false;
  switch (w->kind)
    {
    case LOCATION_FUNCTION: return (place->before & BLOCK_ENTERED) != 0;
    case LOCATION_LINE:
      return !before || (place->before & BLOCK_ENTERED) || before->depth != place->depth
             || before->block == place->block || !w->blocks[before->block->number];
    case LOCATION_BLOCK: break;
    }
  return true;
}
