/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "short_name.h"

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

/* How much of the text at P is the name of an operator, whose brackets are none. */
static size_t
operator_length (const char *name, const char *p)
{
  static const char word[] = "operator";
  size_t length = sizeof word - 1;
  if (strncmp (p, word, length) != 0 || (p > name && (isalnum ((unsigned char) p[-1]) || p[-1] == '_')))
    return 0;
  if (strncmp (p + length, "()", 2) == 0)
    return length + 2;
  return length + strspn (p + length, "<>-=");
}

/* Copies NAME to TO, which has room for it and for each pair of brackets OPEN, CLOSE the dots that stand for what is in it. */
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

/* The character in COLUMN of TEXT. */
static char *
at_column (char *text, size_t column)
{
  for (; *text; text++)
    if (!is_inside (*text) && column-- == 0)
      break;
  return text;
}

/* WIDTH columns of TEXT: its ends. */
static void
cut_middle (char *text, size_t width)
{
  size_t right = (width - 3) / 2, left = width - 3 - right;
  char *from = at_column (text, left), *to = at_column (text, short_name_columns (text) - right);
  memmove (from + 3, to, strlen (to) + 1);
  memcpy (from, "...", 3);
}

char *
short_name (const char *name, size_t width)
{
  static const char brackets[][2] = { { '<', '>' }, { '(', ')' } };
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
    cut_middle (text, width);
  free (folded);
  if (!ok)
    free (text);
  return ok ? text : NULL;
}
