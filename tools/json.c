/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "json.h"
#include "utf8.h"

void
json_string (FILE *out, const char *text)
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
    else if (*p < 0x20)
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
