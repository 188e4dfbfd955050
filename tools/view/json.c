/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <string.h>

#include "common/utf8.h"
#include "tools/view/json.h"

/* ESCAPED: ASCII characters that are written as \u escapes. */
static void
put_string (FILE *out, const char *text, const char *escaped)
{
  if (!text)
    {
      fputs ("null", out);
      return;
    }
  fputc ('"', out);
  for (const unsigned char *p = (const unsigned char *) text; *p;)
    if (*p == '"' || *p == '\\')
      fprintf (out, "\\%c", *p++);
    else if (*p < 0x20 || (*p < 0x80 && strchr (escaped, *p)))
      fprintf (out, "\\u%04x", *p++);
    else if (*p < 0x80)
      fputc (*p++, out);
    else
      {
        int n = utf8_length (p);
        fwrite (n ? (const char *) p : UTF8_REPLACEMENT, 1, n ? (size_t) n : 3, out);
        p += n ? n : 1;
      }
  fputc ('"', out);
}

void
json_string (FILE *out, const char *text)
{
  put_string (out, text, "");
}

void
json_string_in_html (FILE *out, const char *text)
{
  put_string (out, text, "<>&");
}

void
json_number (FILE *out, uint64_t n)
{
  char digits[20], *first = digits + sizeof digits;
  do
    *--first = (char) ('0' + n % 10);
  while ((n /= 10) > 0);
  fwrite (first, 1, (size_t) (digits + sizeof digits - first), out);
}
