/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lists of include= and exclude=: patterns of fnmatch for names of functions and files.

     LIST     ITEM,ITEM...   \, is a comma inside of an item
     ITEM     NAME           a function, by any of its names (names.cc), the whole of it
              file:NAME      the functions of a source file: its whole name as the compiler was
                             given it, or the end of it behind a slash; a * stands for slashes, too
              @FILE          FILE has an item on each line, but no other @FILE; a # at the start of
                             a line, or behind a space, begins a comment

   A name also matches a pattern that is equal to it, whatever characters it has: operator[],
   f(int*). */
#include "gcc-plugin/lists/lists.h"

#include <fnmatch.h>

#define FILE_PREFIX "file:"
static const char *const keys[] = { "include", "exclude" }; /* by enum bbp_list */

struct pattern {
  const char *item; /* as written; begins with FILE_PREFIX for a file */
  const char *from; /* the file that contains it, or null */
  int line;
  bool used; /* it matched a function */
};

static auto_vec<struct pattern> lists[ARRAY_SIZE (keys)];

static bool
names_file (const char *item)
{
  return !strncmp (item, FILE_PREFIX, strlen (FILE_PREFIX));
}

/* Describes, in new memory, where an item of LIST was written. */
static char *
place (enum bbp_list list, const char *from, int line)
{
  char number[20];
  snprintf (number, sizeof number, ":%d", line);
  return from ? concat (from, number, NULL) : xstrdup (keys[list]);
}

/* Takes over PATTERN's text.  False, with an error, if it is empty or not allowed. */
static bool
add_item (enum bbp_list list, struct pattern pattern)
{
  const char *wrong = NULL;
  if (!*pattern.item || !strcmp (pattern.item, FILE_PREFIX))
    wrong = "an empty pattern";
  else if (*pattern.item == '@')
    wrong = "a list in a file cannot name another file";
  lists[list].safe_push (pattern);
  if (!wrong)
    return true;
  char *where = place (list, pattern.from, pattern.line);
  error ("bbprof: %s: %s", where, wrong);
  free (where);
  return false;
}

/* Cuts off a comment, and the space around the rest. */
static char *
trim (char *line)
{
  for (char *p = line; (p = strchr (p, '#')); p++)
    if (p == line || ISSPACE (p[-1]))
      {
        *p = '\0';
        break;
      }
  while (ISSPACE (*line))
    line++;
  char *end = line + strlen (line);
  while (end > line && ISSPACE (end[-1]))
    end--;
  *end = '\0';
  return line;
}

/* Adds the items of the open FILE, named NAME.  False, with an error, if one is wrong. */
static bool
add_lines (enum bbp_list list, FILE *file, const char *name)
{
  char *line = NULL;
  size_t room = 0;
  bool ok = true;
  for (int n = 1; ok && getline (&line, &room, file) >= 0; n++)
    {
      const char *item = trim (line);
      ok = !*item || add_item (list, { xstrdup (item), name, n, false });
    }
  free (line);
  return ok;
}

static bool
add_file (enum bbp_list list, const char *name)
{
  FILE *file = fopen (name, "r");
  bool ok = !file || add_lines (list, file, name);
  if (!file || ferror (file))
    {
      error ("bbprof: cannot read the list %qs: %m", name);
      ok = false;
    }
  if (file)
    fclose (file);
  return ok;
}

/* The first comma of TEXT that separates items, or the end. */
static const char *
item_end (const char *text)
{
  while (*text && *text != ',')
    text += text[0] == '\\' && text[1] ? 2 : 1;
  return text;
}

bool
bbp_patterns_add (enum bbp_list list, const char *text)
{
  for (;; text++)
    {
      const char *end = item_end (text);
      char *item = xstrndup (text, end - text);
      bool ok = *item == '@' ? add_file (list, item + 1)
                             : add_item (list, { item, NULL, 0, false });
      if (!ok)
        return false;
      text = end;
      if (!*text)
        return true;
    }
}

bool
bbp_patterns_given (enum bbp_list list)
{
  return !lists[list].is_empty ();
}

static bool
matches (const char *pattern, const char *name)
{
  return !strcmp (pattern, name) || (strpbrk (pattern, "*?[\\") && fnmatch (pattern, name, 0) == 0);
}

static bool
matches_function (const char *pattern, const struct bbp_names *names)
{
  for (const char *name : names->functions)
    if (matches (pattern, name))
      return true;
  return false;
}

static bool
matches_file (const char *pattern, const char *file)
{
  for (; file; file = strchr (file, '/'), file += file != NULL)
    if (matches (pattern, file))
      return true;
  return false;
}

/* Tries all patterns, because each one notes whether it matched. */
const char *
bbp_patterns_match (enum bbp_list list, const struct bbp_names *names)
{
  const char *found = NULL;
  for (struct pattern &pattern : lists[list])
    if (names_file (pattern.item) ? matches_file (pattern.item + strlen (FILE_PREFIX), names->file)
                                  : matches_function (pattern.item, names))
      {
        pattern.used = true;
        found = pattern.item;
      }
  return found;
}

void
bbp_patterns_note_unused (void)
{
  for (int list = BBP_LIST_INCLUDE; list <= BBP_LIST_EXCLUDE; list++)
    for (const struct pattern &pattern : lists[list])
      if (!pattern.used)
        {
          char *where = place ((enum bbp_list) list, pattern.from, pattern.line);
          inform (UNKNOWN_LOCATION, "bbprof: %s: %qs matches no function of this unit", where,
                  pattern.item);
          free (where);
        }
}
