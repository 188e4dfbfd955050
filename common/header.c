/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/header.h"

enum { WORD = 9 };

/* Columns of the first N bytes of TEXT. */
static size_t
columns_of (const char *text, size_t n)
{
  size_t columns = 0;
  for (size_t i = 0; i < n; i++)
    columns += ((unsigned char) text[i] & 0xc0) != 0x80;
  return columns;
}

/* How many bytes of TEXT fit on a line of ROOM columns: up to the last comma, colon or semicolon
   in the second half of the line; else up to the last blank; else up to the first blank, or all. */
static size_t
line_length (const char *text, size_t room)
{
  size_t stop = 0, blank = 0, length = strlen (text);
  if (columns_of (text, length) <= room)
    return length;
  for (size_t i = 1; text[i]; i++)
    if (text[i] == ' ' && (blank == 0 || columns_of (text, i) <= room))
      {
        blank = i;
        stop = strchr (",;:", text[i - 1]) ? i : stop;
      }
  if (2 * columns_of (text, stop) > room)
    return stop;
  return blank ? blank : length;
}

void
header_wrap (FILE *out, const char *word, size_t indent, size_t width, const char *text)
{
  for (; *text; word = "")
    {
      size_t n = line_length (text, width - indent);
      fprintf (out, "%-*s%.*s\n", (int) indent, word, (int) n, text);
      text += n + (text[n] == ' ');
    }
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
  header_wrap (out, word, WORD, HEADER_WIDTH, text ? text : "");
  free (text);
}
