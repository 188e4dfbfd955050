/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "common/utf8.h"
#include "tools/view/xml.h"

/* Bytes of the UTF-8 character at TEXT; 0: none that XML allows. */
static int
character_length (const unsigned char *text)
{
  const char *three = (const char *) text;
  if (*text >= 0x80)
    return strncmp (three, "\xef\xbf\xbe", 3) == 0 || strncmp (three, "\xef\xbf\xbf", 3) == 0
               ? 0
               : utf8_length (text);
  return *text >= 0x20 || *text == '\t' || *text == '\n';
}

void
xml_text (FILE *out, const char *text)
{
  for (const unsigned char *p = (const unsigned char *) text; *p;)
    {
      int n = character_length (p);
      switch (*p)
        {
        case '&': fputs ("&amp;", out); break;
        case '<': fputs ("&lt;", out); break;
        case '>': fputs ("&gt;", out); break;
        case '"': fputs ("&quot;", out); break;
        default:
          fwrite (n ? (const char *) p : UTF8_REPLACEMENT, 1,
                  n ? (size_t) n : strlen (UTF8_REPLACEMENT), out);
        }
      p += n ? n : 1;
    }
}
