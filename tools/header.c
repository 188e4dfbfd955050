/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "header.h"

enum { WORD = 9, WIDTH = 80 };

/* Columns of the first N bytes of TEXT. */
static size_t
columns_of (const char *text, size_t n)
{
  size_t columns = 0;
  for (size_t i = 0; i < n; i++)
    columns += ((unsigned char) text[i] & 0xc0) != 0x80;
  return columns;
}

/* How many bytes of TEXT go on a line: up to the last comma, colon or semicolon that it has room for, or to the first one, or all. */
static size_t
line_length (const char *text)
{
  size_t best = 0, length = strlen (text);
  if (columns_of (text, length) <= WIDTH - WORD)
    return length;
  for (size_t i = 0; text[i]; i++)
    if (strchr (",;:", text[i]) && text[i + 1] == ' ' && (best == 0 || columns_of (text, i + 1) <= WIDTH - WORD))
      best = i + 1;
  return best ? best : length;
}

void
header_print (FILE *out, const char *word, const char *format, ...)
{
  char *text;
  va_list args;
  va_start (args, format);
  if (vasprintf (&text, format, args) < 0)
    text = NULL;
  va_end (args);
  for (const char *rest = text; rest && *rest; word = "")
    {
      size_t n = line_length (rest);
      fprintf (out, "%-*s%.*s\n", WORD, word, (int) n, rest);
      rest += n + (rest[n] == ' ');
    }
  free (text);
}
