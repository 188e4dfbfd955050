/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <stdint.h>

#include "json.h"

/* Length of the UTF-8 sequence at P (not ASCII), 0 if it is none: too short, too long for its value, a surrogate or
   too large. */
static int
sequence_length (const unsigned char *p)
{
  int n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  if (p[0] < 0xc0 || p[0] > 0xf4)
    return 0;
  uint32_t value = p[0] & (0x7fu >> n);
  for (int i = 1; i < n; i++)
    {
      if ((p[i] & 0xc0) != 0x80)
        return 0;
      value = value << 6 | (p[i] & 0x3f);
    }
  if (value < least[n] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
    return 0;
  return n;
}

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
        int n = sequence_length (p);
        fwrite (n ? (const char *) p : "\xef\xbf\xbd", 1, n ? (size_t) n : 3, out);
        p += n ? n : 1;
      }
  fputc ('"', out);
}
