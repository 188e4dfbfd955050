/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/view/short_name.h"

enum { LEAST_ROOM = 24 }; /* columns that an indented name keeps */

static bool
is_inside (char c)
{
  return ((unsigned char) c & 0xc0) == 0x80;
}

size_t
short_name_columns (const char *text)
{
  size_t n = 0;
  for (; *text; text++)
    n += !is_inside (*text);
  return n;
}

/* Length of the operator's name at P, including its brackets; 0: there is none. */
static size_t
operator_length (const char *name, const char *p)
{
  static const char word[] = "operator";
  size_t length = sizeof word - 1;
  if (strncmp (p, word, length) != 0
      || (p > name && (isalnum ((unsigned char) p[-1]) || p[-1] == '_')))
    return 0;
  if (strncmp (p + length, "()", 2) == 0)
    return length + 2;
  return length + strspn (p + length, "<>-=");
}

/* Copies NAME to TO and replaces what is between each pair of OPEN and CLOSE by dots.  TO has
   room for both. */
static void
fold (char *to, const char *name, char open, char close)
{
  size_t depth = 0;
  for (const char *p = name; *p;)
    {
      size_t n = operator_length (name, p);
      bool opens = n == 0 && *p == open, closes = n == 0 && *p == close && depth > 0;
      depth -= closes;
      for (n = n ? n : 1; n > 0; n--, p++)
        if (depth == 0)
          *to++ = *p;
      if (opens && depth++ == 0 && *p != close)
        to = stpcpy (to, "...");
    }
  *to = '\0';
}

/* The character in column COLUMN of TEXT. */
static char *
at_column (char *text, size_t column)
{
  for (; *text; text++)
    if (!is_inside (*text) && column-- == 0)
      break;
  return text;
}

/* Shortens TEXT to WIDTH columns: its beginning and its end, with dots between them. */
static void
cut_middle (char *text, size_t width)
{
  size_t right = (width - 3) / 2, left = width - 3 - right;
  char *from = at_column (text, left), *to = at_column (text, short_name_columns (text) - right);
  memmove (from + 3, to, strlen (to) + 1);
  memcpy (from, "...", 3);
}

/* The next position behind a `::' of TEXT outside brackets and operators' names; null: none. */
static char *
behind_scope (const char *name, const char *from)
{
  int depth = 0;
  for (const char *p = from; *p;)
    {
      size_t n = operator_length (name, p);
      if (n == 0 && depth == 0 && p[0] == ':' && p[1] == ':')
        return (char *) p + 2;
      if (n == 0)
        depth += (strchr ("<({[", *p) != NULL) - (strchr (">)}]", *p) != NULL);
      p += n ? n : 1;
    }
  return NULL;
}

/* Replaces outer scopes of TEXT, and the return type before them, by dots: as few as needed.  If
   that is not enough, all of them are left out, so that most of the function's own name stays. */
static void
drop_scopes (char *text, size_t width)
{
  static const char dots[] = "...::";
  char *rest = NULL;
  for (char *p = behind_scope (text, text); p; p = behind_scope (text, p))
    {
      rest = p;
      if (short_name_columns (rest) + sizeof dots - 1 <= width
          && (size_t) (rest - text) > sizeof dots - 1)
        {
          memmove (text + sizeof dots - 1, rest, strlen (rest) + 1);
          memcpy (text, dots, sizeof dots - 1);
          return;
        }
    }
  if (rest)
    memmove (text, rest, strlen (rest) + 1);
}

/* Limits the indentation to BLANKS columns so that the name keeps some room, and adds TAG. */
static char *
indent (size_t blanks, const char *tag, const char *name, size_t width)
{
  size_t taken = strlen (tag), most = width > LEAST_ROOM + taken ? width - LEAST_ROOM - taken : 0,
         n = blanks < most ? blanks : most;
  char *text = short_name (name, width - n - taken), *whole = NULL;
  if (text && asprintf (&whole, "%*s%s%s", (int) n, "", tag, text) < 0)
    whole = NULL;
  free (text);
  return whole;
}

char *
short_name_deep (const char *name, size_t width)
{
  size_t blanks = strspn (name, " ");
  char tag[24];
  if (short_name_columns (name) <= width || blanks + LEAST_ROOM <= width)
    return short_name (name, width);
  snprintf (tag, sizeof tag, "%zu: ", blanks / 2 + 1);
  return indent (blanks, tag, name + blanks, width);
}

char *
short_name (const char *name, size_t width)
{
  static const char brackets[][2] = { { '<', '>' }, { '(', ')' } };
  if (*name == ' ' && short_name_columns (name) > width)
    return indent (strspn (name, " "), "", name + strspn (name, " "), width);
  char *text = strdup (name);
  char *folded = malloc (2 * strlen (name) + 4);
  bool ok = text && folded;
  for (size_t i = 0; ok && i < 2 && short_name_columns (text) > width; i++)
    {
      fold (folded, text, brackets[i][0], brackets[i][1]);
      if (short_name_columns (folded) < short_name_columns (text))
        strcpy (text, folded);
    }
  if (ok && short_name_columns (text) > width)
    drop_scopes (text, width);
  if (ok && short_name_columns (text) > width)
    cut_middle (text, width);
  free (folded);
  if (!ok)
    free (text);
  return ok ? text : NULL;
}
